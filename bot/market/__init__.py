"""Which GPU for which job, and what it costs: one module a use case, its card's wording beside it.

A use case takes the tools, the call and the request and returns the reply. Options such as `hours=` and `buy=` are read
here (`words`); what is left of the text is the grammar's.
"""
