"""The pipeline in one screen: parse, resolve, check, lower, verify."""
