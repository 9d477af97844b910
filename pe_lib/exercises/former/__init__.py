"""The exercises that have still to become decorated functions, and what checks them."""
