"""The whole server under load, beside a bare broadcast of the same bytes: ratios mean the same everywhere."""
