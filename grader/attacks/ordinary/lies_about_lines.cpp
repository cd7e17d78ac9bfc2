// attack: says that its error stands in another file
// rule: V8
// expect: no_compile
#line 1 "/etc/shadow"
no_such_name;
