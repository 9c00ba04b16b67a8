"""`python -m learnlog`: the command."""

import sys

from learnlog.cli import main

sys.exit(main())
