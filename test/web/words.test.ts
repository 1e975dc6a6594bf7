import { beforeAll, describe, expect, test } from 'bun:test'
import { type Text, textsOf } from '../../build/texts.ts'

/** English that sounds translated, each with what is written instead. */
const REFUSED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:is|was|be|are|not|it) told\b|\btells?\b|\btelling\b/i, 'reported, stated, recorded; Not enough data'],
  [/\bmade of\b/i, 'based on'],
  [/\b(?:lies|lie) (?:in|here|there)\b|\bstands? (?:here|at|in)\b/i, 'is, appears'],
  [/\bby (?:itself|themselves)\b/i, 'automatically'],
  [/\bwhat (?:came|became) of\b/i, 'result, import report'],
  [/\b(?:is|are|were|was) no (?:run|file|lap|race|record|ZIP|FIT|GPX|TCX|JSON|image|time|date)s?\b/i, 'is not a …'],
  [/\banew\b/i, 'again'],
  [/\bfor good\b/i, 'permanently'],
  [/\b(?:your|the runner’s) words?\b/i, 'your correction'],
  [/\b(?:go|goes) on\b(?! to\b)/i, 'continues'],
  [/\bthe books\b|\bbehind the back\b/i, 'the docs'],
  [/\b(?:take|takes|taken|taking) (?:\w+ )?back\b/i, 'undo, revert, remove correction'],
  [/\b(?:take|taken) (?:a \w+ )?out\b|(?<!\/)\bmend(?:ed|s)?\b/i, 'remove a section, fix bad data'],
  [/^Ever$|\bsince ever\b|\balways was\b/, 'All time; from the start'],
  [/\balready (?:here|there)\b|^(?:\d+ )?no runs$/, 'duplicates; skipped (not runs)'],
  [/\bnothing of it\b|\bIt changed nothing\b/i, 'Nothing changed'],
  [/\b(?:8|19|two) in (?:10|20|ten)\b/i, '80% range, 95% range, 1 in 5'],
  [/\b(?:hangs|rests?) on\b(?! day)/i, 'depends on, is based on'],
  [/\bsurer\b/i, 'more accurate, narrower'],
  [/\bone-hour limit\b|\bhold for an hour\b/i, 'LTHR, threshold pace'],
  [/\bstretch(?:es)?\b/i, 'section'],
  [/\b[Cc]hoose (?:several|runs)\b|\bchosen runs?\b/, 'select'],
  [
    /\bno run fits\b|\bgrow with\b|\bthe harder, the less\b|\bwith no band\b|\bthat there is\b/i,
    'see the list of words',
  ],
  [/\bTo the (?:dashboard|run|shoes)\b|\bof (?:ours|my own)\b/, 'Go to dashboard, Back to run'],
  [/\bis to be done\b|\bAs you like\b|\bTurn down\b|\bSomething else\b/i, 'Choose a repair, Optional, Dismiss'],
  [/\bleft out of\b|\bLeave out\b/i, 'excluded from'],
  [/(?:\d|\{\}) %/, 'a figure and % without a space'],
]
/** Of the page only, which uses contractions. */
const REFUSED_ON_PAGE: typeof REFUSED = [
  [/\b(?:cannot|could not|do not|does not|did not|is not|are not|will not)\b/i, 'can’t, couldn’t, don’t'],
]

let texts: readonly Text[]
beforeAll(async () => {
  texts = await textsOf('src')
}, 120_000)

describe('texts that a person reads', () => {
  test('are found in every kind of place, from the syntax tree', () => {
    const of = (folder: string) => texts.filter(({ place }) => place.startsWith(folder)).length
    expect(of('src/web/')).toBeGreaterThan(1500)
    expect(of('src/')).toBeGreaterThan(3000)
    const place = { place: expect.stringMatching(/^src\/web\/words\.ts:\d+$/), text: 'Couldn’t save. Try again.' }
    expect(texts).toContainEqual(place)
  })

  test('have no phrase that sounds translated', () => {
    expect(found(REFUSED, texts)).toEqual([])
  })

  test('use contractions on the page', () => {
    expect(
      found(
        REFUSED_ON_PAGE,
        texts.filter(({ place }) => place.startsWith('src/web/')),
      ),
    ).toEqual([])
  })

  test.each([
    ['It cannot be told', 1],
    ['Made of 2 efforts', 1],
    ['8 in 10 between {} and {}', 1],
    ['{} % of the three weeks before', 1],
    ['This run is no race', 1],
    ['Imported runs stay in your log', 0],
    ['Last 7 days: 60% of your 3-week average', 0],
  ])('%j has %d such phrases', (text, count) => {
    expect(found(REFUSED, [{ place: 'x:1', text }])).toHaveLength(count)
  })
})

function found(refused: typeof REFUSED, among: readonly Text[]): string[] {
  return among.flatMap(({ place, text }) =>
    refused.filter(([pattern]) => pattern.test(text)).map(([, instead]) => `${place}: ${text} (write: ${instead})`),
  )
}
