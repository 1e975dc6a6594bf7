import { Defect } from './attack.ts'
import { adopted, shownRun } from './inspection.ts'
import type { Detail, Doubt, Ledger, Planned, Run } from './ledger.ts'
import { type Maker, sha256 } from './made-runs.ts'
import type { Random } from './random.ts'
import type { Answer, Service } from './service.ts'

export interface Client {
  readonly service: Service
  readonly ledger: Ledger
  readonly make: Maker
  readonly random: Random
  /** About how many runs there are to be. */
  readonly size: number
}

export type Deed = (client: Client) => Promise<void>

const BEFORE = ['name', 'notes', 'runType', 'rpe', 'device', 'source', 'createdAt'] as const
const PARTS = [
  ...['?includeRaw=false', '', '/samples', '/time-series', '/laps', '/intervals', '/sources', '/file', '/media'],
  '/similar-routes',
]
const STATS = ['weekly', 'weekly-recap', 'relative-effort', 'best-efforts', 'yearly', 'yearly-weekly', 'insights']
const RECALCULATIONS = [
  '/stats/best-efforts/recalculate',
  '/workouts/recalculate-splits',
  '/workouts/recalculate-relative-effort',
]

/** Everything a runner does, each noted in the ledger when it is answered. */
export const DEEDS = {
  ...{ import: importOne, several: importSeveral, bulk, edit, crop, revert, media: addPhotos, unmedia: removePhoto },
  ...{ delete: remove, export: exportAll, restore, read, list, recalculate },
} satisfies Record<string, Deed>

/** How often each is done in mixed load. */
const WEIGHTS: Readonly<Record<keyof typeof DEEDS, number>> = {
  ...{ import: 12, several: 4, bulk: 2, edit: 10, crop: 6, revert: 4, media: 6, unmedia: 3, delete: 6 },
  ...{ export: 1, restore: 1, read: 30, list: 14, recalculate: 1 },
}
const HAT = Object.entries(WEIGHTS).flatMap(([name, weight]) => Array<keyof typeof DEEDS>(weight).fill(name as never))

/** Something, by chance; more deletions when there is much. */
export async function anything(client: Client): Promise<void> {
  const { ledger, random, size } = client
  const surplus = ledger.runs.size - size
  const name = surplus > 0 && random.chance(0.3 + surplus / size) ? 'delete' : random.of(HAT)
  await DEEDS[name](client)
}

function expectStatus(where: string, answer: Answer, ...statuses: readonly number[]): void {
  if (statuses.includes(answer.status)) return
  throw new Defect(`${where}: ${answer.status} ${JSON.stringify(answer.json)?.slice(0, 500)}`)
}

async function importOne({ service, ledger, make }: Client): Promise<void> {
  const run = make.run()
  ledger.planned.set(run.startedAt, run)
  const answer = await service.upload('/workouts/import', [run.file])
  expectStatus('import', answer, 200)
  if (answer.json.action !== 'created') throw new Defect(`import: ${JSON.stringify(answer.json)}`)
  run.isAcknowledged = true
  await adopted(service, ledger, { planned: run, id: answer.json.id })
}

async function importSeveral({ service, ledger, make, random }: Client): Promise<void> {
  const runs = Array.from({ length: 2 + random.below(5) }, () => make.run())
  const files = runs.map(({ file }) => file)
  await sent({ service, ledger }, runs, () => service.upload('/workouts/import', files))
}

async function bulk({ service, ledger, make, random }: Client): Promise<void> {
  const { zip, runs } = make.strava(4 + random.below(8))
  await sent({ service, ledger }, runs, () => service.upload('/workouts/import/bulk', [zip]))
}

/** Several runs in one call, which takes all of them. */
async function sent(
  { service, ledger }: Pick<Client, 'service' | 'ledger'>,
  runs: readonly Planned[],
  call: () => Promise<Answer>,
): Promise<void> {
  for (const run of runs) ledger.planned.set(run.startedAt, run)
  const answer = await call()
  expectStatus('import', answer, 200)
  const { json } = answer
  if (json.successful !== runs.length || json.errors !== 0)
    throw new Defect(`Of ${runs.length}: ${JSON.stringify(json)}`)
  for (const run of runs) run.isAcknowledged = true
  for (const planned of runs) {
    const day = `startDate=${planned.startedAt}&endDate=${planned.startedAt}`
    const { json: found } = await service.call('GET', `/workouts?${day}`)
    if (found.items.length !== 1) throw new Defect(`${found.items.length} runs start at ${planned.startedAt}`)
    await adopted(service, ledger, { planned, id: found.items[0].id })
  }
}

/** A free run, by chance. */
function someRun({ ledger, random }: Client, fits: (run: Run) => boolean = () => true): Run | null {
  const runs = [...ledger.runs.values()].filter((run) => !run.isBusy && fits(run))
  return runs.length === 0 ? null : random.of(runs)
}

async function edit(client: Client): Promise<void> {
  const run = someRun(client)
  if (run === null) return
  const { service, ledger, random } = client
  const all = {
    name: `Edited ${run.version}`,
    notes: `of ${random.below(1e6)}`,
    rpe: 1 + random.below(10),
    runType: 'Race',
  }
  const change = Object.fromEntries(Object.entries(all).filter(() => random.chance(0.6)))
  await ledger.change(run, [{ kind: 'changed', detail: change, isDerived: false }], async () => {
    expectStatus('edit', await service.json('PATCH', `/workouts/${run.id}`, change), 200)
    run.detail = { ...run.detail, ...change }
  })
}

/** The members that no crop changes. */
function untouched({ detail }: Run): Detail {
  return Object.fromEntries(BEFORE.map((key) => [key, detail[key]]))
}

async function crop(client: Client): Promise<void> {
  const run = someRun(client, ({ detail }) => Number(detail.durationS) > 40)
  if (run === null) return
  const { service, ledger, random } = client
  const body = { removeFromStartSeconds: random.below(10), removeFromEndSeconds: 1 + random.below(9) }
  const durationS = Number(run.detail.durationS) - body.removeFromStartSeconds - body.removeFromEndSeconds
  const doubt: Doubt = { kind: 'changed', detail: { ...untouched(run), durationS }, isDerived: true }
  await ledger.change(run, [doubt], async () => {
    const answer = await service.json('POST', `/workouts/${run.id}/crop`, body)
    expectStatus('crop', answer, 200)
    if (answer.json.durationS !== durationS) throw new Defect(`${answer.json.durationS} s are left of ${durationS} s`)
    run.detail = answer.json
  })
}

async function revert(client: Client): Promise<void> {
  const run = someRun(client)
  if (run === null) return
  const { service, ledger } = client
  await ledger.change(run, [{ kind: 'changed', detail: untouched(run), isDerived: true }], async () => {
    const answer = await service.call('POST', `/workouts/${run.id}/revert`)
    // 400: there is nothing to undo
    expectStatus('revert', answer, 200, 400)
    if (answer.status === 200) run.detail = answer.json
  })
}

async function addPhotos(client: Client): Promise<void> {
  const run = someRun(client)
  if (run === null) return
  const { service, ledger, make, random } = client
  const photos = Array.from({ length: 1 + random.below(3) }, () => make.photo())
  const added = photos.map(({ bytes }) => sha256(bytes))
  await ledger.change(run, [{ kind: 'photos', added, removed: [] }], async () => {
    const answer = await service.upload(`/workouts/${run.id}/media`, photos)
    expectStatus('media', answer, 200, 201)
    const stored: readonly { readonly id: string; readonly filename: string }[] = answer.json
    if (stored.length !== photos.length) throw new Defect(`${stored.length} of ${photos.length} photos are stored`)
    stored.forEach(({ id }, place) => {
      run.photos.set(id, added[place] ?? '')
    })
  })
}

async function removePhoto(client: Client): Promise<void> {
  const run = someRun(client, ({ photos }) => photos.size > 0)
  if (run === null) return
  const { service, ledger, random } = client
  const id = random.of([...run.photos.keys()])
  await ledger.change(run, [{ kind: 'photos', added: [], removed: [id] }], async () => {
    expectStatus('media', await service.call('DELETE', `/workouts/${run.id}/media/${id}`), 204)
    run.photos.delete(id)
  })
}

async function remove(client: Client): Promise<void> {
  const run = someRun(client)
  if (run === null) return
  const { service, ledger } = client
  await ledger.change(run, [{ kind: 'gone' }], async () => {
    expectStatus('delete', await service.call('DELETE', `/workouts/${run.id}`), 204)
    ledger.runs.delete(run.id)
    ledger.deleted.add(run.id)
  })
}

async function exportAll({ service, ledger }: Client): Promise<void> {
  const before = [...ledger.runs.values()].filter(({ isBusy }) => !isBusy)
  const versions = new Map(before.map((run) => [run, run.version]))
  const { status, bytes } = await service.call('POST', '/workouts/export')
  if (status !== 200) throw new Defect(`export: ${status}`)
  const unchanged = before.filter((run) => ledger.runs.has(run.id) && !run.isBusy && versions.get(run) === run.version)
  const runs = unchanged.map((run) => [run.id, { ...run, photos: new Map(run.photos) }] as const)
  ledger.archive = { bytes, runs: new Map(runs) }
}

/** What was deleted since the export is back afterwards, everything else as it was. */
async function restore({ service, ledger }: Client): Promise<void> {
  const { archive } = ledger
  if (archive === null || ledger.isRestoring) return
  // one that is being deleted may be there or not when its turn comes
  const missing = [...archive.runs].filter(([id]) => ledger.deleted.has(id))
  ledger.isRestoring = true
  const answer = await service.upload('/workouts/import/export', [{ name: 'archive.zip', bytes: archive.bytes }])
  expectStatus('restore', answer, 200)
  const { success, errors } = answer.json
  if (success !== true) throw new Defect(`restore: ${JSON.stringify(errors)}`)
  for (const [id, { sha256: sha, detail, photos }] of missing) {
    ledger.deleted.delete(id)
    const run = { id, sha256: sha, detail, photos: new Map(photos), isBusy: false, doubts: [], version: 0 }
    ledger.runs.set(id, run)
  }
  await foundAgain({ service, ledger })
  ledger.isRestoring = false
}

/** Runs that the archive brought back although the ledger does not know how they were in it. */
async function foundAgain({ service, ledger }: Pick<Client, 'service' | 'ledger'>): Promise<void> {
  for (const id of [...ledger.deleted]) {
    if ((await service.call('GET', `/workouts/${id}?includeRaw=false`)).status === 404) continue
    ledger.runs.set(id, await shownRun(service, id))
    ledger.deleted.delete(id)
  }
}

/** Reads a run and compares it, unless another client changes it meanwhile. */
async function read(client: Client): Promise<void> {
  const run = someRun(client)
  if (run === null) return
  const { service, random } = client
  const { version } = run
  const part = random.of(PARTS)
  const answer = await service.call('GET', `/workouts/${run.id}${part}`)
  if (run.version !== version || !client.ledger.runs.has(run.id)) return
  expectStatus(`read ${part}`, answer, part === '/file' && run.sha256 === null ? 404 : 200)
  if (part === '/file' && run.sha256 !== null && sha256(answer.bytes) !== run.sha256)
    throw new Defect(`The original of ${run.id} is another`)
}

async function list({ service, random }: Client): Promise<void> {
  const sort = random.of(['startedAt', 'distance', 'duration', 'name', 'elevation', 'relativeEffort'])
  const path = random.chance(0.5) ? `/workouts?sortBy=${sort}&pageSize=50` : `/stats/${random.of(STATS)}`
  expectStatus(path, await service.call('GET', path), 200)
}

async function recalculate({ service, random }: Client): Promise<void> {
  const path = random.of(RECALCULATIONS)
  expectStatus(path, await service.call('POST', path), 200)
}
