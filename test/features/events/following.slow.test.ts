import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { png } from '../../fixtures/media.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { phone, watch } from '../../fixtures/two-recordings.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PLACE = { name: 'Home', lat: 48.137, lon: 11.575 }
const RACE = { date: '2026-06-14', name: 'City 10K', distanceM: 10_000 }
const GOAL = { metric: 'runs', period: 'week', target: 3 }

interface Item {
  readonly kind: string
  readonly id: string | null
  readonly change: string
}

// what else follows from other runs and from the day is no part of a thing
const MEMBERS = {
  goal: ['id', 'metric', 'period', 'target', 'from', 'to', 'name', 'updatedAt'],
  race: ['id', 'date', 'name', 'distanceM', 'goalTimeS', 'note', 'isLinked', 'updatedAt'],
  place: ['id', 'name', 'lat', 'lon', 'hideM', 'updatedAt'],
} as const

// biome-ignore lint/suspicious/noExplicitAny: bodies of answers
type Body = any
type Library = Record<string, Record<string, Body>>

async function fetched(app: TestApp, kind: string, id: string): Promise<Body | null> {
  if (kind === 'workout') {
    const { status, json } = await app.call('GET', `/workouts/${id}?includeRaw=false`)
    if (status === 404) return null
    const { suggestedRunType: _, ...run } = json
    return { ...run, media: await app.ok('GET', `/workouts/${id}/media`) }
  }
  if (kind === 'shoe') return (await app.ok('GET', '/shoes')).find((one: Body) => one.id === id) ?? null
  const path = { goal: '/training/goals', race: '/races', place: '/places' }[kind]!
  const answer = await app.ok('GET', path)
  const found = (answer.places ?? answer).find((one: Body) => one.id === id)
  const members = MEMBERS[kind as keyof typeof MEMBERS]
  return found === undefined ? null : Object.fromEntries(members.map((name) => [name, found[name]]))
}

async function settingsNow(app: TestApp): Promise<Body> {
  const paths = ['unit-preference', 'page', 'privacy', 'training', 'default-shoe']
  const answers = await Promise.all(paths.map((path) => app.ok('GET', `/settings/${path}`)))
  // how far a shoe went is told as a change of the shoe
  return answers.map((answer) => answer?.defaultShoeId ?? answer)
}

/** A program that knows the library by /changes and single things alone. */
function reader(app: TestApp) {
  const library: Library = { workout: {}, shoe: {}, goal: {}, race: {}, place: {}, media: {}, settings: {} }
  let after = 0
  const follow = async () => {
    for (;;) {
      const { items, next, more } = await app.ok('GET', `/changes?after=${after}&limit=7`)
      for (const { kind, id, change } of items as Item[]) {
        if (kind === 'settings') library.settings = await settingsNow(app)
        else if (kind === 'media') {
          if (change === 'deleted') delete library.media![id!]
          else library.media![id!] = true
        } else {
          const body = change === 'deleted' ? null : await fetched(app, kind, id!)
          if (body === null) delete library[kind]![id!]
          else library[kind]![id!] = body
        }
      }
      after = next
      if (!more) return
    }
  }
  return { library, follow }
}

async function libraryNow(app: TestApp): Promise<Library> {
  const ids = async (path: string, of: (answer: Body) => Body[]) =>
    of(await app.ok('GET', path)).flatMap(({ id }) => (id === null ? [] : [id as string]))
  const listed = {
    workout: await ids('/workouts?pageSize=100', ({ items }) => items),
    shoe: await ids('/shoes', (all) => all),
    goal: await ids('/training/goals', (all) => all),
    race: await ids('/races', (all) => all),
    place: await ids('/places', ({ places }) => places),
  }
  const library: Library = { settings: await settingsNow(app), media: {} }
  for (const [kind, all] of Object.entries(listed)) {
    library[kind] = Object.fromEntries(
      await Promise.all(all.map(async (id) => [id, await fetched(app, kind, id)] as const)),
    )
  }
  for (const { media } of Object.values(library.workout!)) for (const { id } of media) library.media![id] = true
  return library
}

/** 300 random changes of every kind. */
async function walk(app: TestApp, seed: number, between: () => Promise<void>): Promise<Record<string, number>> {
  const random = seededRandom(seed)
  const below = (n: number) => Math.floor(random() * n)
  const one = <T>(all: readonly T[]): T | undefined => all[below(all.length)]
  const listed = async (path: string): Promise<Body[]> => {
    const { status, json } = await app.call('GET', path)
    return status === 200 ? (json.items ?? json.places ?? json) : []
  }
  const runs = () => listed('/workouts?pageSize=100')
  const some = async (path: string) => one((await listed(path)).filter(({ id }) => id !== null))?.id ?? 'none'
  const archives: Uint8Array[] = []
  const json = (method: string, path: string, body?: object) => app.call(method, path, { json: body ?? {} })
  const upload = (path: string, bytes: Uint8Array, name: string) => app.upload(path, [{ name, bytes }])
  const trashed = async () => one(await listed('/trash'))?.workoutId ?? 'none'
  const run = async () => one(await runs())?.id ?? 'none'
  const edited = [
    ['/shoes', () => ({ brand: `Brand ${below(9)}`, model: 'M' }), () => ({ model: `N ${below(9)}` })],
    ['/training/goals', () => GOAL, () => ({ target: 1 + below(9) })],
    ['/races', () => ({ ...RACE, name: `Race ${below(9)}` }), () => ({ goalTimeS: 2000 + below(9) })],
    ['/places', () => ({ ...PLACE, lat: 40 + below(9), isHome: below(2) === 0 }), () => ({ name: `P ${below(9)}` })],
  ] as const
  const works: Record<string, () => Promise<{ status: number }>> = {
    import: () => {
      const startMs = START_MS - below(12) * DAY_MS
      return upload('/workouts/import', fitRun({ startMs, seconds: 400 + 100 * below(3) }), 'a.fit')
    },
    watch: () => upload('/workouts/import', watch(), 'watch.fit'),
    phone: () => upload('/workouts/import', phone(), 'phone.gpx'),
    manual: () =>
      json('POST', '/workouts', { startedAt: `2025-10-${10 + below(9)}T07:00:00Z`, durationS: 2700, distanceM: 8000 }),
    words: async () => json('PATCH', `/workouts/${await run()}`, { name: `Run ${below(99)}`, rpe: 1 + below(9) }),
    worn: async () => json('PATCH', `/workouts/${await run()}`, { shoeId: await some('/shoes') }),
    race: async () => json('PATCH', `/workouts/${await run()}`, { runType: one(['Race', 'Workout', null]) }),
    numbers: async () => json('PATCH', `/workouts/${await run()}/numbers`, { durationS: 600 + below(99) }),
    crop: async () => json('POST', `/workouts/${await run()}/crop`, { removeFromEndSeconds: 10 + below(30) }),
    split: async () => json('POST', `/workouts/${await run()}/split`, { atElapsedS: [200] }),
    shift: async () => json('POST', `/workouts/${await run()}/shift`, { offsetSeconds: 60 }),
    delete: async () => app.call('DELETE', `/workouts/${await run()}${below(4) === 0 ? '?forever=true' : ''}`),
    restore: async () => json('POST', `/trash/${await trashed()}/restore`),
    purge: async () => app.call('DELETE', `/trash/${await trashed()}`),
    undo: async () => json('POST', `/receipts/${await some('/receipts?pageSize=30')}/undo`),
    redo: async () => json('POST', `/receipts/${(await listed('/receipts?pageSize=1'))[0]?.id}/undo`),
    bulk: async () => json('POST', '/workouts/bulk-edit', { ids: [await run()], set: { runType: 'Long Run' } }),
    merge: async () => {
      const [a, b] = (await runs()).filter(({ startedAt }) => startedAt.startsWith('2025-11-01T07:0'))
      return json('POST', `/workouts/${a?.id ?? 'none'}/merge`, { otherId: b?.id })
    },
    unmerge: async () => {
      const details = await Promise.all(
        (await runs()).map(({ id }) => app.ok('GET', `/workouts/${id}?includeRaw=false`)),
      )
      return json('POST', `/workouts/${details.find(({ sources }) => sources > 1)?.id ?? 'none'}/unmerge`)
    },
    photo: async () => upload(`/workouts/${await run()}/media`, png(1 + below(9)), 'a.png'),
    caption: async () => {
      const id = await run()
      return json('PATCH', `/workouts/${id}/media/${await some(`/workouts/${id}/media`)}`, { caption: `C ${below(9)}` })
    },
    photoGone: async () => {
      const id = await run()
      return app.call('DELETE', `/workouts/${id}/media/${await some(`/workouts/${id}/media`)}`)
    },
    made: () => {
      const [path, body] = one(edited)!
      return json('POST', path, body())
    },
    changed: async () => {
      const [path, , edit] = one(edited)!
      return json('PATCH', `${path}/${await some(path)}`, edit())
    },
    gone: async () => {
      const path = one(edited)![0]
      return app.call('DELETE', `${path}/${await some(path)}`)
    },
    unit: () => json('PUT', '/settings/unit-preference', { unitPreference: one(['metric', 'imperial']) }),
    splits: () => json('POST', '/workouts/recalculate-splits'),
    defaultShoe: async () => json('PUT', '/settings/default-shoe', { defaultShoeId: await some('/shoes') }),
    zones: () =>
      json('POST', '/settings/heart-rate-zones/update-with-recalc', {
        ...{ calculationMethod: 'AgeBased', age: 20 + below(40), recalculateExisting: true },
      }),
    export: async () => {
      const request = new Request('http://localhost/workouts/export', {
        ...{ method: 'POST', headers: { authorization: `Bearer ${app.token}` } },
      })
      const answer = await app.handle(request)
      archives.push(await answer.bytes())
      return answer
    },
    archive: async () => {
      const bytes = one(archives)
      return bytes === undefined ? { status: 0 } : upload('/workouts/import/export', bytes, 'all.zip')
    },
  }
  const done: Record<string, number> = {}
  const names = [...Object.keys(works), 'import', 'import', 'words', 'undo', 'undo', 'made']
  for (let made = 0; made < 300; ) {
    const name = one(names)!
    app.clock.nowMs += 1000 * below(600)
    const { status } = await works[name]!()
    expect(status).toBeLessThan(500)
    if (status < 200 || status >= 300) continue
    made += 1
    done[name] = (done[name] ?? 0) + 1
    if (below(5) === 0) await between()
  }
  return done
}

test.each([1, 2])(
  'who follows the changes has the library of now, whatever was done (%p)',
  async (seed) => {
    await using app = await testApp()
    const { library, follow } = reader(app)
    const done = await walk(app, seed, follow)
    // most of them were possible now and then
    expect(Object.keys(done).length).toBeGreaterThan(25)
    await app.ok('GET', '/workouts')
    app.clock.nowMs += 2 * HOUR_MS
    await follow()
    expect(Object.keys(library.workout!).length).toBeGreaterThan(3)
    expect(library).toEqual(await libraryNow(app))
  },
  300_000,
)
