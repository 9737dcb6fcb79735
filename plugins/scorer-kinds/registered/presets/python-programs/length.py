def scorer(record):
    """Characters of the output, as people count them for most scripts: code points."""
    return len(record.output or "")
