"""What a person sees and decides: text, HTML, widget. Reads reports; runs nothing."""
