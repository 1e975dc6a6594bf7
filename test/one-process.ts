// What the many apps and computations of one process of tests need not do again and again; the service does it once, or
// has a processor of its own for it. Loaded before the tests (bunfig.toml).

import { TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'

// Elysia compiles the schemas of each route of each app; it sets `additionalProperties` before, and adds to what it gets.
const { Compile: compile } = TypeCompiler
const compiled = new WeakMap<object, Map<unknown, TypeCheck<never>>>()
TypeCompiler.Compile = (schema, references = []) => {
  if (references.length > 0) return compile(schema, references)
  const known = compiled.get(schema) ?? new Map()
  compiled.set(schema, known)
  const check = known.get(schema.additionalProperties) ?? compile(schema)
  known.set(schema.additionalProperties, check)
  return new TypeCheck(schema, [], (value) => check.Check(value), check.Code())
}
