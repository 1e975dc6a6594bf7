// Files of wrong devices give the right numbers, and say what was corrected: each entry of the corpus's faults/EXPECTED.json.
import { afterAll, expect } from 'bun:test'
import { RUNNER, testApp } from '../../app.ts'
import { corpusDir, corpusFile, corpusTest } from '../../corpus.ts'

type Bound = readonly [value: number | string, tolerance: number, orNull?: 'or null']

/** One run of an entry: bounds by the names of the API, and some of its own (`_format` of EXPECTED.json). */
type ExpectedRun = Readonly<Record<string, unknown>>

interface Fault {
  readonly kind: string
  readonly guard?: boolean
  readonly warning?: boolean
  readonly skippedOther?: number
  readonly roundTrip?: readonly ('gpx' | 'fit' | 'tcx')[]
  readonly file?: string
  readonly workouts: readonly ExpectedRun[]
}

/** Kinds whose answer has nothing to say: the file is read as it is meant (J counts in `skippedOther`). */
const READ_AS_MEANT = ['N', 'O', 'P', 'Q', 'R', 'S', 'J']
/** Against the rule above: both feet are said, a last point with only a time is not, and a jump is mended as before. */
const EXCEPTIONS = [
  'q3-cad-both-feet-half-zero.gpx.gz',
  'r6-fr405-trailing-time-only.tcx.gz',
  'bad/time-jump-20-days.fit',
]

const app = await testApp()
// the made runs are of days to come
app.clock.nowMs = Date.UTC(2026, 10, 1)
await app.ok('POST', '/auth/login', { username: RUNNER.username, password: RUNNER.password })
afterAll(app.close)

const entries: [string, Fault][] =
  corpusDir === null
    ? []
    : Object.entries(JSON.parse(new TextDecoder().decode(corpusFile('faults/EXPECTED.json'))) as Record<string, Fault>)

for (const [name, fault] of entries.filter(([name]) => !name.startsWith('_'))) {
  corpusTest(`${fault.kind}: ${name} gives the right numbers`, async () => {
    const answer = await imported(corpusFile(`faults/${fault.file ?? name}`), name)
    expect(answer.skippedOther ?? 0).toBe(fault.skippedOther ?? 0)
    const runs = await stored()
    expect(runs.length).toBe(fault.workouts.length)
    const wrong = (await Promise.all(runs.map((id, place) => differences(id, fault.workouts[place]!)))).flat()
    const { corrections = [] } = await app.ok('GET', `/workouts/${runs[0]}/sources`)
    const isWrong = fault.warning === true || !(fault.guard || READ_AS_MEANT.includes(fault.kind))
    const isSaid = isWrong !== EXCEPTIONS.includes(name)
    if (corrections.length > 0 !== isSaid) wrong.push(`${corrections.length} corrections`)
    if ((answer.warnings ?? []).length > 0 !== isSaid) wrong.push(`${answer.warnings?.length} warnings`)
    for (const format of fault.roundTrip ?? []) {
      await imported(corpusFile(`faults/${fault.file ?? name}`), name)
      wrong.push(...(await again((await stored())[0]!, format)))
    }
    expect(wrong).toEqual([])
  })
}

// biome-ignore lint/suspicious/noExplicitAny: members of an answer
async function imported(bytes: Uint8Array, name: string): Promise<any> {
  for (const id of await stored()) await app.ok('DELETE', `/workouts/${id}`)
  await app.ok('DELETE', '/trash')
  const { status, json, text } = await app.upload('/workouts/import', [{ name: name.split('/').at(-1)!, bytes }])
  expect(status, text).toBe(200)
  return json
}

async function stored(): Promise<string[]> {
  const { items } = await app.ok('GET', '/workouts?sortBy=date&sortOrder=asc')
  return items.map(({ id }: { id: string }) => id)
}

async function differences(id: string, run: ExpectedRun): Promise<string[]> {
  const detail = await app.ok('GET', `/workouts/${id}?includeRaw=false`)
  const samples = await app.ok('GET', `/workouts/${id}/samples`)
  const efforts: { distance: string; timeMs: number }[] = samples.bestEfforts
  const effort = (distance: string) => efforts.find((one) => one.distance === distance)?.timeMs
  const found: Record<string, unknown> = {
    ...detail,
    splitsSumM: detail.splits.reduce((sum: number, split: { distanceM: number }) => sum + split.distanceM, 0),
    splitsCount: detail.splits.length,
    lastSampleS: samples.elapsedS.at(-1),
    pausesS: samples.pauses.reduce(
      (sum: number, one: { startS: number; endS: number }) => sum + one.endS - one.startS,
      0,
    ),
  }
  return Object.entries(run).flatMap(([name, bound]) => {
    if (name === 'absentEfforts') return (bound as string[]).filter((one) => effort(one) !== undefined)
    if (name === 'bestEfforts') {
      return Object.entries(bound as Record<string, Bound>).flatMap(([one, is]) =>
        off(one, (effort(one) ?? Number.NaN) / 1000, is),
      )
    }
    return off(name, found[name], bound as Bound)
  })
}

/** The name with both values, when the value is out of bounds. */
function off(name: string, value: unknown, bound: unknown): string[] {
  if (!Array.isArray(bound)) return value === bound ? [] : [`${name}: ${value} instead of ${bound}`]
  if (Array.isArray(bound[0]))
    return bound.some((one) => off(name, value, one).length === 0) ? [] : [`${name}: ${value}`]
  const [right, tolerance, orNull] = bound as unknown as Bound
  if (orNull !== undefined && value === null) return []
  const number = typeof right === 'string' ? Date.parse(String(value)) / 1000 : Number(value ?? Number.NaN)
  const wanted = typeof right === 'string' ? Date.parse(right) / 1000 : right
  return Math.abs(number - wanted) <= tolerance ? [] : [`${name}: ${value} instead of ${right} ± ${tolerance}`]
}

/** The run exported in a format and imported in the place of the first, which must have the same extent. */
async function again(id: string, format: string): Promise<string[]> {
  const before = await app.ok('GET', `/workouts/${id}?includeRaw=false`)
  const file = await app.handle(
    new Request(`http://localhost/workouts/${id}/export?format=${format}`, {
      headers: { authorization: `Bearer ${app.token}` },
    }),
  )
  expect(file.status).toBe(200)
  await imported(new Uint8Array(await file.arrayBuffer()), `again.${format}`)
  const after = await app.ok('GET', `/workouts/${(await stored())[0]}?includeRaw=false`)
  return ['distanceM', 'durationS', 'movingTimeS'].flatMap((name) =>
    off(`${name} by ${format}`, after[name], [before[name], 3]),
  )
}
