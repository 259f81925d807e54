//===- Options.td - Options of dplc ------------------------*- tablegen -*-===//

include "llvm/Option/OptParser.td"

def help : Flag<["--", "-"], "help">, HelpText<"show this help">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["--"], "version">, HelpText<"show the version">;

def o : JoinedOrSeparate<["-"], "o">, MetaVarName<"FILE">, HelpText<"write the trainer to FILE">;
def D : JoinedOrSeparate<["-"], "D">, MetaVarName<"NAME=VALUE">, HelpText<"set the const NAME">;
def march_EQ : Joined<["--"], "march=">, MetaVarName<"CPU">,
  HelpText<"make code for CPU: native (default), x86-64-v2, x86-64-v3, x86-64-v4, or a name">;
def stop_after_EQ : Joined<["--"], "stop-after=">, MetaVarName<"PHASE">,
  HelpText<"print the program behind PHASE and stop (--help lists the phases)">;
def explain : Separate<["--"], "explain">, MetaVarName<"CODE">,
  HelpText<"explain an error or a warning by its code, with an example">;
def explain_EQ : Joined<["--"], "explain=">, Alias<explain>;
def docs_EQ : Joined<["--"], "docs=">, MetaVarName<"PAGE">,
  HelpText<"print a page of the documentation: layers or diagnostics">;
def diagnostics_EQ : Joined<["--"], "diagnostics=">, MetaVarName<"FORM">,
  HelpText<"write diagnostics as text (default) or json">;

def timing : Flag<["--"], "timing">, HelpText<"print the time of every pass">;

def seed_EQ : Joined<["--"], "seed=">, MetaVarName<"N">,
  HelpText<"gradcheck: seed of parameters, data and the choice of elements">;
def samples_EQ : Joined<["--"], "samples=">, MetaVarName<"N">,
  HelpText<"gradcheck: samples of the batch">;
def elements_EQ : Joined<["--"], "elements=">, MetaVarName<"N">,
  HelpText<"gradcheck: elements of each parameter that are checked">;
