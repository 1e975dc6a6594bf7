// JSON with members that are long texts already, such as raw data.

export function* objectText<P>(members: Readonly<Record<string, Iterable<P>>>): Generator<P | string, void> {
  let before = '{'
  for (const [name, pieces] of Object.entries(members)) {
    yield `${before}${JSON.stringify(name)}:`
    yield* pieces
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** The members of an object for `objectText`, without those that are undefined. */
export function memberTexts(values: object): Record<string, readonly [text: string]> {
  const known = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known.map(([name, value]) => [name, [JSON.stringify(value)]]))
}
