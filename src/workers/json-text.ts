// JSON in pieces, for answers that may be long: as one string they would block other requests while they are made.

/** An object whose members are texts in pieces already. */
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

/** An array that comes in slices. */
export function* arrayText(slices: Iterable<readonly unknown[]>): Generator<string, void> {
  let before = '['
  for (const slice of slices) {
    if (slice.length === 0) continue
    yield before + JSON.stringify(slice).slice(1, -1)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
