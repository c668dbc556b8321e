/** The types that an expression can have (Prometheus docs, querying/basics.md, "Expression language data types"). */
export type ValueType = "scalar" | "vector" | "matrix" | "string";
