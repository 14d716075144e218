"""Pages for browsers: one file each, which fetches nothing and says what matters without scripts, too.

A page may hold names and text of strangers. All of it is escaped; and a page's own policy lets no script run but the
one that it came with, and nothing be fetched.
"""
