"""The exercises of notebook 08, *Build a head that looks back*."""
