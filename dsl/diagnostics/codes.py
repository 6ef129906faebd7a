"""The stable codes of everything that can be wrong with a text, a program, a save or a game under way.

To add one, add a line to its group and a page `docs/reference/errors/<code>.md`. A code is never reused: one
that is no longer given stays, so that old messages still find their page. The first digits say where it comes
from:

    00  files and input      02  names      04  rules, conflicts, termination      06  rules failing in play
    01  syntax               03  types      05  compiled programs and saves
"""

from enum import Enum, unique


class Severity(Enum):
    """An error stops what was asked for; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@unique
class Code(Enum):
    """One kind of fault: its value is the code as printed, its title what the fault is called."""

    UNREADABLE_FILE = "E0001", "file cannot be read"
    FILE_TOO_LARGE = "E0002", "file too large"
    NOT_UTF8 = "E0003", "text is not UTF-8"
    BINARY_FILE = "E0004", "file is not text"
    EMPTY_SOURCE = "E0005", "nothing in the file"
    NO_SOURCES = "E0006", "no sources in the folder"
    PATH_ESCAPES = "E0007", "path leaves its folder"
    IMPORT_CYCLE = "E0008", "files that need each other"
    SELF_IMPORT = "E0009", "file that needs itself"
    UNKNOWN_GAME = "E0010", "no such game"
    NO_HEADER = "E0011", "no file with a header"
    UNKNOWN_MODULE = "E0012", "no such file to import"
    BAD_INDEX = "E0013", "index of a rulebook that is not well made"
    UNFIT_VERSION = "E0014", "version that does not fit"
    UNFIT_COMPANY = "E0015", "scenarios or mods that do not go together"

    UNEXPECTED_TOKEN = "E0101", "unexpected word or sign"
    UNTERMINATED_STRING = "E0102", "text without its closing quote"
    BAD_INDENTATION = "E0103", "indentation that fits no block"
    TAB = "E0104", "tab in the indentation"
    UNCLOSED_BRACKET = "E0105", "bracket left open"
    RAGGED_ROW = "E0106", "table row with too few or too many cells"
    RAGGED_MAP = "E0107", "map line that does not fit its grid"
    UNKNOWN_SIGN = "E0108", "map sign that the legend does not explain"
    UNEXPECTED_CHARACTER = "E0109", "character that means nothing here"
    NESTED_TOO_DEEP = "E0110", "nested too deep"
    MISSING_BLOCK = "E0111", "colon without its lines"
    RESERVED_WORD = "E0112", "word of the language used as a name"
    BAD_CITATION = "E0113", "citation that cannot be read"
    FOREIGN_SIGN = "E0114", "sign or word of another language"
    MISSING_COLON = "E0115", "block without its colon"
    UNKNOWN_WORD = "E0116", "misspelt word of the language"
    OPEN_ROW = "E0117", "table row without its closing bar"
    HUGE_NUMBER = "E0118", "number too large"
    PHRASE_NEEDS_PARENTHESES = "E0119", "phrase that needs parentheses"
    MISPLACED_LINE = "E0120", "line in the wrong place"

    UNKNOWN_NAME = "E0201", "unknown name"
    DUPLICATE_NAME = "E0202", "name declared twice"
    UNKNOWN_CITATION = "E0203", "citation of what there is not"
    AMBIGUOUS_NAME = "E0204", "name that may mean two things"
    NO_SUCH_HEAD = "E0205", "clause about something that does not exist"

    TYPE_MISMATCH = "E0301", "value of another type"
    OUT_OF_RANGE = "E0302", "value outside its range"
    OPTIONAL_USED = "E0303", "possibly none, used as a value"
    WRONG_ARGUMENTS = "E0304", "wrong arguments"
    UNROUNDED = "E0305", "division that does not say how it rounds"
    NOT_WRITABLE = "E0306", "something that cannot be set"
    BAD_CELL = "E0307", "table cell of another type"
    ROLL_HERE = "E0308", "dice where none can be rolled"
    LIMIT = "E0309", "more than the language allows"
    MISSING_CELL = "E0310", "table row without a value that its column needs"

    OVER_NOTHING = "E0401", "`over` a clause that does not exist"
    OVER_CYCLE = "E0402", "clauses that are over each other"
    CALL_CYCLE = "E0403", "actions that lead back to themselves"
    UNBOUNDED_LOOP = "E0404", "loop without a bound"
    CONFLICTING_BECOMES = "E0405", "two clauses set one value"
    TWO_INSTEADS = "E0406", "two clauses replace one action"
    ALLOW_OVER_NOTHING = "E0407", "permission that lifts nothing"
    WRONG_TARGET = "E0408", "clause of the wrong kind for its target"
    MOD_CONFLICT = "E0409", "two mods that disagree"
    NEED_LATER = "E0410", "condition behind what it guards"
    STOP_OUTSIDE = "E0411", "stop or return with nothing to leave"
    VALUE_BLOCK = "E0412", "value that does something"
    NO_RETURN = "E0413", "value that may end without a result"
    TOGETHER = "E0414", "what cannot happen together"
    TABLE_GAP = "E0415", "table without a row for each argument"
    TABLE_OVERLAP = "E0416", "two rows for one argument"
    NO_PLAYERS = "E0417", "game without players"
    NO_ROUND = "E0418", "game without a course"
    GIVEN_DECIDES = "E0419", "decision in the state of a test"
    UNRANKED = "E0420", "reactions whose order is not said"
    SECRET_SHOWN = "E0421", "question or line of the log that shows a secret"
    NOT_BUILT = "E0422", "form that the compiler cannot do yet"
    HOLDER_SILENT = "E0423", "piece in a piece without a word on when its holder leaves"
    TRIAL_DECIDES = "E0424", "trial of what a player or chance decides"

    IR_SCHEMA = "E0501", "not a compiled program"
    IR_VERIFICATION = "E0502", "compiled program that is not well made"
    DAMAGED_SAVE = "E0503", "foreign or damaged save"
    SAVE_OF_OTHER_PROGRAM = "E0504", "save of another program"

    RANGE_LEFT = "E0601", "value left its range in play"
    NOTHING_TO_CHOOSE = "E0602", "choice with nothing to choose"
    WRITES_CLASH = "E0603", "two different writes at one instant"
    NONE_USED = "E0604", "none where a value is needed"
    PICK_FROM_NOTHING = "E0605", "random choice from nothing"
    NOBODY_CHOOSES = "E0606", "choice for nobody"
    CLAUSES_CLASH = "E0607", "clauses that contradict each other in play"
    STEP_CEILING = "E0608", "too many steps between two decisions"
    NO_NUMBER = "E0609", "number that cannot be computed"
    NO_ROOM = "E0610", "piece put where it cannot be"
    NO_FREE_PLACE = "E0611", "no free place for a piece"
    TOO_MANY_OPTIONS = "E0612", "too many options in one choice"
    SEARCH_GIVEN_UP = "E0613", "search that was given up"

    CITATION_IN_COMMENT = "W0101", "citation inside a comment"

    LIKELY_MISSPELT = "W0201", "new name that is nearly another"

    ORDER_MAY_BE_REFUSED = "W0401", "ordered action that may be refused"
    MAY_BE_REMOVED = "W0402", "piece used after it may have been removed"
    MANY_OPTIONS = "W0403", "very many options"
    UNCITED = "W0404", "rule without a source"
    ENDLESS_MENU = "W0405", "menu that nothing ends"
    NO_RULEBOOK = "W0406", "citation in a game without a rulebook"
    MAY_CONTRADICT = "W0407", "clauses that may contradict each other"
    HEAVY = "W0408", "rule that may take very long"
    NOTHING_CHECKED = "W0409", "test that checks nothing"
    UNTRANSLATED = "W0410", "texts without words in a language"
    STALE_TRANSLATION = "W0411", "translation of what no text says"
    CUT_OFF = "W0412", "region that no border reaches"
    WORTH_UNREAD = "W0413", "worth that no computer player reads"
    PASSED_OVER = "W0414", "replacement that the mode in play passes over"
    DECIDED = "W0415", "comparison that always comes out the same"
    FUTILE = "W0416", "what nothing reaches or uses"

    title: str

    def __new__(cls, code: str, title: str = "") -> "Code":
        """Let a member be found by its code alone: `Code("E0101")`."""
        member = object.__new__(cls)
        member._value_ = code
        member.title = title
        return member

    def __str__(self) -> str:
        return self.id

    @property
    def id(self) -> str:
        """The code as printed, such as `E0101`."""
        return str(self._value_)

    @property
    def explained(self) -> str:
        """The command that shows its page."""
        return f"scenarii explain {self.id}"

    @property
    def severity(self) -> Severity:
        return Severity.WARNING if self.id.startswith("W") else Severity.ERROR
