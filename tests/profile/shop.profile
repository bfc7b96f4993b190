# of a run in which Items are not counted yet

300 9000 put IDL:Shop/Store:1.0
100 3000 put IDL:Shop/Store:1.0
8 64 knock IDL:Shop/Store:1.0
2 400000 all
2 60 say IDL:Shop/Store:1.0
9 0 _is_a IDL:Shop/Store:1.0
