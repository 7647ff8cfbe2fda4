"""Plain data and the loop. Standard library only: no pandas, no IPython, no OpenAI."""
