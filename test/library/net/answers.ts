// Every answer to a GET: which there are, how one is written down, and where two differ.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestApp } from '../../app.ts'
import type { Library } from './library.ts'

export interface Recorded {
  /** `GET /shoes` */
  readonly call: string
  readonly status: number
  readonly type: string | null
  /** JSON with sorted keys; of bytes their hash and length. */
  readonly body: unknown
}

export const answersPath = (library: Library) => join(import.meta.dir, `answers-${library}.zst`)

/** In the order in which they were asked for. */
export function recordedAnswers(library: Library): readonly Recorded[] {
  const path = answersPath(library)
  if (!existsSync(path)) throw new Error(`There is no ${path}; README.md says how it is made`)
  return JSON.parse(Buffer.from(Bun.zstdDecompressSync(readFileSync(path))).toString('utf8'))
}

export async function answered(app: TestApp, call: string): Promise<Recorded> {
  const [method = '', path = ''] = call.split(' ')
  const headers = { authorization: `Bearer ${app.token}` }
  const response = await app.handle(new Request(`http://localhost${path}`, { method, headers }))
  const bytes = new Uint8Array(await response.arrayBuffer())
  const type = response.headers.get('content-type')
  const isJson = type?.startsWith('application/json') === true && bytes.length > 0
  const value = isJson ? canonical(JSON.parse(withoutMadeIds(path, new TextDecoder().decode(bytes)))) : null
  // the samples of the run say the same, and where they differ
  const isReadable = isJson && !path.includes('/time-series?')
  return {
    call,
    status: response.status,
    type,
    body: isReadable ? value : hashed(isJson ? JSON.stringify(value) : bytes),
  }
}

/** Migration 0009 gave further recordings of a run random ids, which are others each time. */
const RANDOM_ID = /[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/g

function withoutMadeIds(path: string, text: string): string {
  if (!path.endsWith('/sources')) return text
  const ids: string[] = JSON.parse(text).recordings?.map(({ id }: { id: string }) => id) ?? []
  return text.replace(RANDOM_ID, (id) => (path.includes(id) ? id : `recording ${ids.indexOf(id)}`))
}

export const hashed = (bytes: Uint8Array | string) => ({
  $bytes: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
  $length: bytes.length,
})

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (!isObject(value)) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([key, member]) => [key, canonical(member)]))
}

/**
 * The first member in which two values differ, `.splits[2].paceS: 331.5, now 332`; null when none does.
 * @param options.without names of members that may differ, at any depth
 * @param options.isAdditive members that are new are not a difference
 */
export function difference(before: unknown, now: unknown, options: Differing = {}, path = ''): string | null {
  const { without = [], isAdditive = false } = options
  const found = (key: string | number, of: string) =>
    difference((before as never)[key], (now as never)[key], options, `${path}${of}`)
  if (Array.isArray(before) && Array.isArray(now)) {
    for (let i = 0; i < Math.max(before.length, now.length); i += 1) {
      const differing = found(i, `[${i}]`)
      if (differing !== null) return differing
    }
    return null
  }
  if (isObject(before) && isObject(now)) {
    for (const key of Object.keys(isAdditive ? before : { ...before, ...now })) {
      const differing = without.includes(key) ? null : found(key, `.${key}`)
      if (differing !== null) return differing
    }
    return null
  }
  return Object.is(before, now) ? null : `${path}: ${shown(before)}, now ${shown(now)}`
}

interface Differing {
  readonly without?: readonly string[]
  readonly isAdditive?: boolean
}

function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

const OFFSETS = ['', 'timezoneOffsetMinutes=-300', 'timezoneOffsetMinutes=840']
const DAYS = ['2025-11-20', '2025-11-16', '2025-10-20', '2024-12-31', '2024-05-08']
const SORTS = [
  'name',
  'duration',
  'distance',
  'elevation',
  'relativeEffort',
  'movingtime',
  'pace',
  'movingpace',
  'heartrate',
  'load',
]

/** Those that need no id. */
const PLAIN = [
  ...['/auth/me', '/auth/api-keys', '/auth/registration-available', '/health', '/ready', '/version', '/share'],
  ...['/settings/heart-rate-zones', '/settings/unit-preference', '/settings/files', '/settings/weather'],
  ...[
    '/settings/default-shoe',
    '/settings/map',
    '/watch-folder',
    '/watch-folder/files',
    '/shoes',
    '/shoes/from-import',
  ],
  ...['/workouts/recalculate-relative-effort/count', '/workouts/recalculate-splits/count'],
  ...['/stats/best-efforts', '/stats/best-efforts?period=year', '/stats/best-efforts?period=12months'],
  ...['/stats/best-efforts/medals', '/stats/highest-heart-rate', '/workouts?runType=none', '/workouts?shoeId=none'],
  ...[400, 804.672, 1000, 1609.344, 5000].map((metres) => `/stats/best-efforts/${metres}/progress`),
  ...['/workouts', '/workouts?pageSize=7&page=3', '/workouts?pageSize=100&page=9', '/workouts?page=x'],
  ...SORTS.flatMap((by) => [
    `/workouts?pageSize=100&sortBy=${by}`,
    `/workouts?pageSize=100&sortBy=${by}&sortOrder=desc`,
  ]),
  ...['startDate=2025-11-01&endDate=2025-11-10', 'minDistanceM=900&maxDistanceM=1500.5', 'runType=Race'].map(query),
  ...['keyword=strava', 'keyword=%C3%BCber', 'keyword=join', 'keyword=zzz', 'startDate=nonsense'].map(query),
  ...['/receipts?page=99&pageSize=50', '/trash?page=9', '/workouts/0198a000-0000-7000-8000-00000000ffff'],
]

function query(asked: string): string {
  return `/workouts?pageSize=100&${asked}`
}

/** Those of a day where the caller is. */
const OF_A_PLACE = [
  ...['weekly', 'relative-effort', 'weekly-recap', 'yearly', 'yearly-weekly', 'available-periods'],
  ...['available-years', 'daily', 'monthly', 'insights', 'daily?from=2025-10-01&to=2025-12-01'],
  ...DAYS.flatMap((day) => [`weekly-recap?referenceDate=${day}`, `yearly-weekly?periodEndDate=${day}`]),
]
  .map((path) => `/stats/${path}`)
  .concat(
    ['load', 'load?from=2025-08-01&to=2025-11-25', 'today', 'forecast', 'forecast?plan=usual&days=30', 'zones'],
    ['forecast?plan=custom&loads=40,0,60', 'vo2max', 'vo2max?weeks=100', 'predictions', 'predictions?distanceM=15000'],
    ['critical-speed', 'efficiency', 'intensity', 'intensity?weeks=52', 'calendar', 'calendar?metric=load'],
    ['proposals', 'goals'],
  )
  .map((path) => (path.startsWith('/') ? path : `/training/${path}`))
  .concat('/settings/training')

/** Those of every run; its own id goes in front. */
const OF_A_RUN = [
  ...['', '?includeRaw=false', '/best-efforts', '/time-series?pageSize=5000', '/samples', '/laps', '/intervals'],
  ...['/sources', '/similar-routes?maxYears=100&maxResults=100', '/oddities', '/training', '/media', '/file'],
]

/** These take long or say the same in another way: each run is asked some of them, in turn. */
const IN_TURN = [
  ['/export?format=fit', '/neighbours', '/passes?fromM=100&toM=400'],
  ['/export?format=gpx', '/neighbours?sortBy=distance', '/training/windows', '/samples?maxPoints=25'],
  ['/export?format=tcx', '/similar-routes', '/time-series?pageSize=100&page=2', '?includeRoute=false&includeRaw=false'],
]

/** Every GET of a library, by what it holds now. */
export async function everyCall(app: TestApp): Promise<string[]> {
  // biome-ignore lint/suspicious/noExplicitAny: members of answers are read
  const asked = async (path: string): Promise<any> => (await app.call('GET', path)).json
  const pages = async (path: string) => {
    const { totalPages } = await asked(`${path}pageSize=50`)
    return Array.from({ length: totalPages }, (_, k) => `${path}pageSize=50&page=${k + 1}`)
  }
  const listed: string[] = []
  const runs: string[] = []
  for (const page of await pages('/workouts?')) {
    listed.push(page)
    runs.push(...(await asked(page)).items.map(({ id }: { id: string }) => id))
  }
  for (const [place, id] of runs.entries()) {
    const paths = [...OF_A_RUN, ...(IN_TURN[place % IN_TURN.length] ?? [])]
    listed.push(...paths.map((path) => `/workouts/${id}${path}`), `/receipts?workoutId=${id}`)
    const similar = await asked(`/workouts/${id}/similar-routes?maxYears=100`)
    if (similar[0]) listed.push(`/workouts/${id}/ghost/${similar[0].workoutId}`)
    for (const { id: mediaId } of await asked(`/workouts/${id}/media`)) {
      listed.push(`/workouts/${id}/media/${mediaId}`, `/workouts/${id}/media/${mediaId}?small=true`)
    }
    for (const { id: recordingId } of (await asked(`/workouts/${id}/sources`)).recordings) {
      const isLasting = recordingId === id || !recordingId.match(RANDOM_ID)
      if (isLasting) listed.push(`/workouts/${id}/sources/${recordingId}/file`)
    }
  }
  for (const { id } of await asked('/shoes')) {
    listed.push(
      ...['', '?unitPreference=metric', '?unitPreference=imperial'].map((unit) => `/shoes/${id}/mileage${unit}`),
    )
    listed.push(query(`shoeId=${id}`))
  }
  for (const page of await pages('/receipts?')) {
    listed.push(page)
    for (const { id } of (await asked(page)).items) listed.push(`/receipts/${id}`)
  }
  for (const kind of ['import', 'edit', 'delete', 'undo', 'split']) listed.push(`/receipts?kind=${kind}`)
  for (const page of await pages('/trash?')) {
    listed.push(page)
    for (const { workoutId } of (await asked(page)).items)
      listed.push(`/workouts/${workoutId}`, `/workouts/${workoutId}/file`)
  }
  const ofPlaces = OF_A_PLACE.flatMap((path) =>
    OFFSETS.map((offset) => (offset === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${offset}`)),
  )
  return [...new Set([...PLAIN, ...ofPlaces, ...listed])].map((path) => `GET ${path}`)
}

/** Each run that was deleted, back from the trash, and what is then answered of it. */
export async function waysBack(app: TestApp): Promise<string[]> {
  // biome-ignore lint/suspicious/noExplicitAny: members of answers are read
  const asked = async (path: string): Promise<any> => (await app.call('GET', path)).json
  const calls: string[] = []
  for (const { workoutId, receiptId } of (await asked('/trash?pageSize=100')).items) {
    if ((await asked(`/receipts/${receiptId}`)).kind !== 'delete') continue
    calls.push(`POST /trash/${workoutId}/restore`, ...OF_A_RUN.map((path) => `GET /workouts/${workoutId}${path}`))
  }
  return calls
}
