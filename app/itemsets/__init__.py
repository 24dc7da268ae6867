"""The Itemsets view: what is computed, panels, sentences."""
