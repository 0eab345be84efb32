"""What does the paper print? Its tables and figures as constants, so that the report can set ours beside them.

"Deterministic Isomorphic Validation of Composite Card Structures in Non-Monotonic Rank Hierarchies" (M. R. P. Kuncoro
and R. Soelaiman, 2026). Shares are fractions of 1.
"""

PAPER = (
    "M. R. P. Kuncoro and R. Soelaiman, *Deterministic Isomorphic Validation of Composite Card Structures in "
    "Non-Monotonic Rank Hierarchies*, 2026"
)

LEADS = 20_000  # section IV.C
ZONE_NAMES = ("real-time", "latency", "limit")  # up to 9 blocks, 10 to 12, more

# Section IV.C and Table IV
ZONE_SHARES = (0.5262, 0.3474, 0.1263)
ZONE_PERMUTATIONS = ("3.6 × 10⁵", "4.7 × 10⁸", "2.1 × 10¹³")
ZONE_TRACTORS = ("< 6.85 %", "≈ 8.1 %", "9.31 %")
TRACTOR_SHARE = 0.0685  # over all leads
TRACTOR_SHARE_HIGH = 0.0931  # over leads of 10 blocks and more
HIGH = 10
MOST_BLOCKS = 16
BUDGET = 100_000_000  # operations a second, its bound for what is instantaneous

# Table II: phase, operation count
PHASES = (
    ("Rank Projection", "O(M)"),
    ("Sequence Sorting", "O(M log M)"),
    ("Tractor Extraction", "O(M)"),
    ("Residual Partitioning", "O(M)"),
)

# Table III: lead, blocks, search space
SEARCH_SPACES = (
    ("25 Singles", "25", "1.55 × 10²⁵"),
    ("12 Adjacent Pairs", "1", "1"),
    ("Mixed Complex Play", "5-8", "120 - 40,320"),
    ("Theoretical Worst Case", "10", "3,628,800"),
)

# Table V and Figures 7 to 9: ten submissions to the online judge
RUNS = 10
RUN_SECONDS = 0.01
RUN_MEGABYTES = 5.2
