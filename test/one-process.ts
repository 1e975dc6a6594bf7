// What the many apps of one process of tests need not do again. The real service starts once.
import { TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'

// tests of memory use processes of their own; in one with all files loaded, a full collection takes a tenth of a second
Bun.gc = () => 0

// compiled by Elysia for each route of each app; it sets `additionalProperties` before, and adds to what it gets
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
