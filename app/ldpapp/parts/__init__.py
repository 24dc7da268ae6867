"""What pages are made of: panels, widgets, curves, the sidebar, the planner."""
