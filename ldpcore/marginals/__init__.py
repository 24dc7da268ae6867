"""One table of all columns, from noisy tables of two each: measured once at one ε, then asked anything."""
