"""Games as the environments of other libraries: Gymnasium, PettingZoo, OpenSpiel.

Each is thin: it stands on the documented interface (`dsl.Game`), and imports its library when it is itself imported
(`pip install 'scenarii[adapters]'`). What a learner is shown is what its player may see, made in one place
(`dsl.adapters.observing`); what it can do are the numbers of options (`Option.id`), or their places in the list where a
game has too many numbers (`dsl.adapters.acting`).
"""
