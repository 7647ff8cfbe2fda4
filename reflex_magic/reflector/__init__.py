"""What a model is told, what it answers, and what of its answer is believed. It never runs anything."""
