import { type CallOptions, RUNNER, type TestApp } from '../app.ts'
import { png } from '../fixtures/media.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { type Document, type Operation, operationsOf } from '../http/document.ts'
import { mutated, mutatedUpload, type Seed } from './mutate.ts'
import { mutatedJson } from './mutate-json.ts'
import { NUMBERS, nastyText, nastyValue, TEXTS, TIMES } from './nasty.ts'
import type { Random } from './random.ts'
import { chooser, stravaTable, workoutSeeds } from './seeds.ts'

export interface Sent extends CallOptions {
  readonly method: string
  readonly path: string
  /** As the document lists it; null: the path is none of it. */
  readonly operation: Operation | null
}

/** What requests name. */
export interface Known {
  readonly workouts: readonly string[]
  readonly shoes: readonly string[]
  readonly media: readonly string[]
}

/** They never end, or ask others. */
const LEFT_OUT = /^(get \/events|get \/map\/tiles)/
const MOST_ROWS = 20
/** They check passwords, which takes its time by design. */
const SLOW = /auth\/(login|register|change-password)/
const FORM = 'application/x-www-form-urlencoded'
const TYPES = ['application/json', 'text/plain', FORM, '', 'multipart/form-data', 'a/b;c=d']
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['range', ['bytes=0-0', 'bytes=9-1', 'bytes=-0', 'bytes=-5', 'bytes=5-', 'bytes=0-1,3-4', 'bytes=99999999999-', 'x']],
  [
    'authorization',
    ['', 'Bearer', 'Bearer x', 'Bearer tmp_x', 'Basic eDp5', `Bearer ${'a'.repeat(9000)}`, 'bearer  ..'],
  ],
  ['origin', ['null', 'http://localhost', 'https://x.example', 'x']],
  ['cookie', ['authToken=', 'authToken=x; authToken=y', ';;;=', `a=${'b'.repeat(5000)}`, 'authToken=%']],
  ['accept', ['text/html', 'application/json', '*/*;q=0', '']],
  ['if-none-match', ['*', '"x"', 'W/"x"']],
  ['x-forwarded-proto', ['https', 'x', '']],
  ['accept-language', ['de', '*', '']],
]
const WORDS: Readonly<Record<string, readonly unknown[]>> = {
  ...{ removeFromStartSeconds: [0, 1, 10.5, 30, 60, 1e9], removeFromEndSeconds: [0, 1, 10.5, 30, 60] },
  ...{ name: ['Run', ''], notes: ['n'], rpe: [1, 10, 7, 11], runType: ['Race', 'Easy Run'], caption: ['Top', ''] },
  ...{ unitPreference: ['metric', 'imperial'], calculationMethod: ['AgeBased', 'Karvonen', 'Custom'] },
  ...{ age: [1, 40, 120], maxHeartRateBpm: [190, 250], restingHeartRateBpm: [40, 60] },
  ...{ brand: ['Road'], model: ['One'], initialMileageM: [0, 1e6, null] },
  ...{ lookups: [true, false], tiles: [false], recalculateExisting: [true, false] },
  ...{ label: ['script'], scope: ['full', 'read', 'upload', 'x'] },
}

/** Makes requests, mostly nearly right: of operations of the document, of files, and of nothing that there is. */
export function requestMaker(document: Document): (known: Known, random: Random) => Sent {
  const operations = operationsOf(document).filter(([name]) => !LEFT_OUT.test(name))
  const raw = operations.find(([name]) => name === 'post /workouts/import/raw')?.[1] ?? null
  const files = workoutSeeds()
  const choose = chooser(files)
  const photo = { name: 'a.png', bytes: png(3) }
  return (known, random) => {
    const kind = random.below(10)
    if (kind < 3)
      return upload('/workouts/import', [mutatedUpload(choose(random.below(1e9) / 1e9), random, files)], random)
    if (kind === 3) {
      const spoiled = mutatedUpload(photo, random, [photo, ...files])
      const id = random.of(known.workouts)
      return upload(`/workouts/${id}/media`, random.chance(0.5) ? [photo, spoiled] : [spoiled], random)
    }
    if (kind === 4 && random.chance(0.2)) {
      const { name, bytes } = mutatedUpload(choose(random.below(1e9) / 1e9), random, files)
      const path = `/workouts/import/raw${random.chance(0.5) ? `?name=${encodeURIComponent(name.toWellFormed())}` : ''}`
      return { method: 'POST', path, operation: raw, body: new Uint8Array(bytes), headers: typeOf(random) }
    }
    if (kind === 4 && random.chance(0.3)) return upload('/workouts/import/bulk', [exportOf(random, files)], random)
    let [name, operation] = random.of(operations)
    while (SLOW.test(name) && !random.chance(0.05)) [name, operation] = random.of(operations)
    return ofOperation({ name, operation, known }, random)
  }
}

function ofOperation(
  { name, operation, known }: { readonly name: string; readonly operation: Operation; readonly known: Known },
  random: Random,
): Sent {
  const [method = '', template = ''] = name.split(' ')
  const ids = template.startsWith('/shoes') ? known.shoes : known.workouts
  // nothing and dots would be another path
  const junk = () => encodeURIComponent(wellFormed(random).replace(/^\.{0,2}$/, 'x'))
  const id = (of: readonly string[]) => (random.chance(0.85) ? random.of(of) : junk())
  const filled = template
    .replace('{id}', () => id(ids))
    .replace('{mediaId}', () => id(known.media))
    .replace('{recordingId}', () => id(known.workouts))
  const queries = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query' && random.chance(0.4))
  const query = queries.map((parameter) => `${parameter.name}=${encodeURIComponent(queryValue(random))}`)
  const path = filled + (query.length > 0 ? `?${query.join('&')}` : '') + (random.chance(0.01) ? '/%2e%2e/%zz' : '')
  const isBodied = operation.requestBody !== undefined || random.chance(0.02)
  const headers = Object.fromEntries(
    HEADERS.filter(() => random.chance(0.03)).map(([key, all]) => [key, random.of(all)]),
  )
  const sent = { method: method.toUpperCase(), path, operation: path.includes('%zz') ? null : operation }
  if (!isBodied || method === 'get') return { ...sent, headers }
  return { ...sent, ...bodyFor(random), headers: { ...headers, ...typeOf(random) } }
}

function queryValue(random: Random): string {
  if (random.chance(0.4))
    return random.of(['1', '2', '10', '-300', 'asc', 'desc', 'distance', 'name', 'Race', '2025-11-01'])
  return random.chance(0.5) ? random.of([...NUMBERS, ...TIMES]) : wellFormed(random)
}

/** A text that an address can hold. */
function wellFormed(random: Random): string {
  return nastyText(random).slice(0, 2000).toWellFormed()
}

function bodyFor(random: Random): CallOptions {
  const keys = Object.keys(WORDS).filter(() => random.chance(0.3))
  const body = Object.fromEntries(keys.map((key) => [key, random.of(WORDS[key] ?? [null])]))
  const kind = random.below(10)
  if (kind < 5) return { body: JSON.stringify(body) }
  if (kind < 8) return { body: JSON.stringify(mutatedJson({ ...body, username: RUNNER.username }, random)) ?? '' }
  if (kind === 8) return { body: JSON.stringify(nastyValue(random)) ?? '' }
  const text = { name: '', bytes: Buffer.from(JSON.stringify(body)) }
  return { body: new Uint8Array(mutated(text, random, [text])) }
}

function typeOf(random: Random): Record<string, string> {
  return { 'content-type': random.chance(0.9) ? 'application/json' : random.of(TYPES) }
}

/** A multipart body made by hand, so that it can be spoiled as well. */
function upload(path: string, files: readonly Seed[], random: Random): Sent {
  const pieces: Buffer[] = []
  for (const { name, bytes } of files) {
    const filename = name.replace(/[\r\n"]/g, '_')
    pieces.push(
      Buffer.from(`--cut\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    )
  }
  if (random.chance(0.1)) {
    pieces.push(
      Buffer.from(`--cut\r\nContent-Disposition: form-data; name="unitPreference"\r\n\r\n${random.of(TEXTS)}\r\n`),
    )
  }
  const body = { name: '', bytes: Buffer.concat([...pieces, Buffer.from('--cut--\r\n')]) }
  const bytes = random.chance(0.08) ? mutated(body, random, [body]) : body.bytes
  const boundary = random.chance(0.02) ? random.of(['', 'other', '"cut"', 'cut; boundary=x', 'a'.repeat(300)]) : 'cut'
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return { method: 'POST', path, operation: null, headers, body: new Uint8Array(bytes) }
}

function exportOf(random: Random, files: readonly Seed[]): Seed {
  const whole = { name: 'activities.csv', bytes: stravaTable() }
  const spoiled = mutated(whole, random, [whole])
  // each row is an import of its own, with a time of its own
  const isLong = Buffer.from(spoiled).toString('latin1').split('\n').length > MOST_ROWS
  const table = random.chance(0.5) && !isLong ? spoiled : whole.bytes
  const small = files.slice(0, 20)
  const data = (seed: Seed) => (random.chance(0.5) ? mutated(seed, random, small) : seed.bytes)
  const entries = [
    { name: 'activities/1.fit', data: data(small[0]!), method: 8 },
    { name: 'activities/2.gpx.gz', data: data(small[10] ?? small[1]!), method: 8 },
    { name: 'activities.csv', data: table, method: 8 },
    { name: 'media/1.jpg', data: png(9) },
    {
      name: 'media.csv',
      data: data({ name: '', bytes: Buffer.from('Media Filename,Media Caption\nmedia/1.jpg,Top') }),
    },
  ]
  return { name: 'export.zip', bytes: buildZip(entries) }
}

/** What the library holds now. */
export async function knownOf(app: TestApp): Promise<Known> {
  const ids = (answer: { readonly json: { readonly id: string }[] }) => answer.json.map(({ id }) => id)
  const nobody = '0198a000-0000-7000-8000-00000000dead'
  const { items } = (await app.call('GET', '/workouts?pageSize=100')).json
  const workouts = items.map(({ id }: { id: string }) => id) as string[]
  const media = workouts[0] === undefined ? [] : ids(await app.call('GET', `/workouts/${workouts.at(-1)}/media`))
  const filled = (of: readonly string[]) => (of.length === 0 ? [nobody] : of)
  return { workouts: filled(workouts), shoes: filled(ids(await app.call('GET', '/shoes'))), media: filled(media) }
}
