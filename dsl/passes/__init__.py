"""From a verified program to the one that both engines are made from: `pipeline` has the list of passes."""
