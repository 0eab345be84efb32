"""The survey of opening hands of Texas 42: how often each makes each bid with each declaration, by solved deals."""
