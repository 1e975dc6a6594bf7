import type { createApp } from '../app.ts'

// The calls of the service as types, derived from the schemas of its routes. Variable parts of a path are any text:
// `/workouts/${id}/training?x=${y}` and '/workouts/{id}/training' are the same call.

type Routes = ReturnType<typeof createApp>['~Routes']
type Steps<Path extends string> = Path extends `${infer First}/${infer After}` ? [First, ...Steps<After>] : [Path]
type Below<Node, Step> = Step extends keyof Node
  ? Node[Step]
  : { [Name in keyof Node]: Name extends `:${string}` ? Node[Name] : never }[keyof Node]
type Walk<Node, List> = List extends [infer Step, ...infer After] ? Walk<Below<Node, Step>, After> : Node
type Bare<Path> = Path extends `/${infer Base}?${string}` ? Base : Path extends `/${infer Base}` ? Base : never
type CallsOf<Path> = Path extends string ? Walk<Routes, Steps<Bare<Path>>> : never

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A call of the service; never: there is none. */
type Call<M extends Method, Path> =
  CallsOf<Path> extends infer Calls ? (Lowercase<M> extends keyof Calls ? Calls[Lowercase<M>] : never) : never

/** The path when the service has such a call, else never. */
export type Known<M extends Method, Path> = [Call<M, Path>] extends [never] ? never : Path

/** What a call takes. */
export type Body<M extends Method, Path> =
  Call<M, Path> extends infer One ? (One extends { body: infer Value } ? Sent<Value> : undefined) : never
type Sent<Value> = Value extends object ? { readonly [Name in keyof Value]: Sent<Value[Name]> } : Value

type Answers<M extends Method, Path> =
  Call<M, Path> extends infer One
    ? One extends { response: { 200: infer Value } } | { response: { 201: infer Value } }
      ? Value
      : undefined
    : never

/** The answer of a dry run, where the change itself answers something else. */
type Trial = { before: unknown }
export type Answer<Path, M extends Method = 'GET'> = Exclude<Answers<M, Path>, Trial>
export type TrialAnswer<Path, M extends Method> =
  Extract<Answers<M, Path>, Trial> extends never ? Answers<M, Path> : Extract<Answers<M, Path>, Trial>
