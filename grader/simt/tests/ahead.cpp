// Nothing but the headers that come before every test, so that they can be compiled ahead.
