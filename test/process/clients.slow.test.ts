// Clients that three usual generators make of the API document do fifteen tasks of an evening, and follow what
// changes, without a cast.
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fitRun } from '../fixtures/runs.ts'
import { tempFolder } from '../temp-folder.ts'
import { CREDENTIALS, startServer } from './real-server.ts'

const folder = tempFolder()

/** The generators come from their registries; without a network these tests are skipped. */
const NPM = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', '@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3']
const PIP = ['openapi-python-client==0.29.1', 'attrs', 'httpx', 'python-dateutil']
const [bun, python] = [process.execPath, join(folder, 'python/bin/python')]
writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
const hasTypeScript = run([bun, 'add', '--silent', ...NPM]).ok
const hasPython =
  run(['python3', '-m', 'venv', 'python']).ok && run([python, '-m', 'pip', 'install', '--quiet', ...PIP]).ok

function run(command: readonly string[]) {
  const PATH = `${join(folder, 'python/bin')}:${process.env.PATH}`
  const options = { cwd: folder, env: { ...process.env, PATH }, timeout: 180_000 }
  const { success, stdout, stderr } = Bun.spawnSync([...command], options)
  return { ok: success, text: `${stdout}${stderr}` }
}

/** A service, with its document and what clients need beside them. */
async function served() {
  const server = await startServer({ dataDir: mkdtempSync(join(folder, 'data-')) })
  await server.login()
  const { key } = await (await server.call('/auth/api-keys', { method: 'POST' })).json()
  await Bun.write(join(folder, 'openapi.json'), await (await server.call('/swagger/json')).text())
  const file = Buffer.from(fitRun()).toString('base64')
  await Bun.write(join(folder, 'service.json'), JSON.stringify({ address: server.address, key, file, ...CREDENTIALS }))
  return { [Symbol.asyncDispose]: async () => void (await server.end('SIGTERM')) }
}

// as its own documentation says for files: openapi-ts.dev/node
const GENERATE = `
import { writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
const blob = ts.factory.createTypeReferenceNode('Blob')
const transform = ({ format }) => (format === 'binary' ? blob : undefined)
writeFileSync('api.d.ts', astToString(await openapiTS(new URL('openapi.json', import.meta.url), { transform })))
`

/** The tasks, with the calls of either TypeScript client. */
const TASKS = `
const file = new File([Uint8Array.from(atob(service.file), (one) => one.charCodeAt(0))], 'a.fit')
const imported = await calls.importFile(file)
if (imported === undefined || !('id' in imported)) throw new Error('not imported')
const { id, startedAt } = imported
const path = { id }
const [day, after] = [0, 86_400_000].map((ms) => new Date(Date.parse(startedAt) + ms).toISOString().slice(0, 10))
const listed = await calls.list({ pageSize: 5, sortOrder: 'desc' })
const samples = await calls.samples(path)
const original = await calls.original(path)
const edited = await calls.edit(path, { name: 'Hills', runType: 'Long Run' })
const undone = await calls.undo({ id: edited.response?.headers.get('Harrier-Receipt') ?? '' })
const shown = await calls.read(path)
const shoe = await calls.addShoe({ brand: 'Hoka', model: 'Clifton 9' })
const worn = await calls.editAll({ ids: [id], set: { shoeId: shoe.data?.id ?? null } })
const shoes = await calls.shoes()
const daily = await calls.days({ from: day!, to: after! })
const efforts = await calls.efforts(path)
const today = await calls.today()
const goal = await calls.addGoal({ metric: 'runs', period: 'week', target: 4 })
const tried = await calls.crop(path, { removeFromStartSeconds: 60, dryRun: true })
const refused = await calls.read({ id: '0198a000-0000-7000-8000-0000000000ff' })
const changes = await calls.changes({ after: 0 })
const changed = changes.data?.items.find((one) => one.id === id)
const since = await calls.list({ updatedSince: shown.data?.updatedAt ?? '' })
const later = await calls.list({ updatedSince: '2999-01-01' })
let again = await calls.list({})
// what is derived of the import may be written meanwhile
for (let times = 0; times < 100 && again.response?.status === 200; times += 1) {
  await new Promise((resolve) => setTimeout(resolve, 50))
  again = await calls.list({}, { 'If-None-Match': again.response.headers.get('ETag') ?? '' })
}
const late = await calls.edit(path, { notes: 'late' }, { 'If-Match': '"0-"' })
const fresh = (await calls.read(path)).response?.headers.get('ETag') ?? ''
const noted = await calls.edit(path, { notes: 'in time' }, { 'If-Match': fresh })
const once = { 'Idempotency-Key': crypto.randomUUID() }
const spare = { brand: 'Saucony', model: 'Ride 17' }
const bought = [await calls.addShoe(spare, once), await calls.addShoe(spare, once)]
const used = await calls.addShoe({ ...spare, model: 'Ride 18' }, once)
const { username, password } = service
const cookie = (await calls.logIn({ username, password })).response?.headers.get('Set-Cookie') ?? ''
const session = cookie.split(';')[0]?.split('=')[1] ?? ''
const made = await calls.addKey(session, { label: 'mirror', scope: 'read', expiresAt: '2999-01-01T00:00:00Z' })
const keys = await calls.keys(session)
const feed = await calls.feed()
console.log(JSON.stringify([
  listed.data?.items.map((one) => one.id === id), samples.data?.heartRateBpm?.length === samples.data?.count,
  original.data?.size === file.size, edited.data?.name, edited.data?.runType, undone.data?.undone,
  [shown.data?.name, shown.data?.runType], worn.data?.changed, shoes.data?.map((one) => one.runs),
  daily.data?.days.map((one) => one.runs), efforts.data?.distances.map((one) => one.rankEver)[0],
  today.data?.date.length, goal.data?.target, tried.data !== undefined && 'after' in tried.data, refused.error?.code,
  [changed?.kind, changed?.change], changes.data?.more, since.data?.items.map((one) => one.id === id),
  later.data?.items.length, again.response?.status, late.error?.code, noted.data?.notes,
  bought[0]?.data?.id === bought[1]?.data?.id, used.error?.code, made.data?.expiresAt,
  keys.data?.map((one) => [one.scope, one.expiresAt === null, one.lastUsedAt?.length ?? 0]), feed.data?.createdAt,
]))
`

const FETCH = `
import createClient from 'openapi-fetch'
import type { components, paths } from './api.d.ts'
import service from './service.json'
const api = createClient<paths>({ baseUrl: service.address, headers: { Authorization: \`Bearer \${service.key}\` } })
type Body<P extends keyof paths, M extends keyof paths[P]> =
  paths[P][M] extends { requestBody?: { content: { 'application/json': infer T } } } ? T : never
type Query<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer T } } } ? T : never
type Path = { id: string }
const calls = {
  importFile: async (file: File) => {
    const body = { file: [file] }
    const form = new FormData()
    form.append('file', file)
    return (await api.POST('/workouts/import', { body, bodySerializer: () => form })).data
  },
  list: (query: Query<'/workouts'>, header: { 'If-None-Match'?: string } = {}) =>
    api.GET('/workouts', { params: { query, header } }),
  samples: (path: Path) => api.GET('/workouts/{id}/samples', { params: { path } }),
  original: (path: Path) => api.GET('/workouts/{id}/file', { params: { path }, parseAs: 'blob' }),
  edit: (path: Path, body: Body<'/workouts/{id}', 'patch'>, header: { 'If-Match'?: string } = {}) =>
    api.PATCH('/workouts/{id}', { params: { path, header }, body }),
  undo: (path: Path) => api.POST('/receipts/{id}/undo', { params: { path } }),
  read: (path: Path) => api.GET('/workouts/{id}', { params: { path, query: { includeRaw: false } } }),
  addShoe: (body: Body<'/shoes', 'post'>, header: { 'Idempotency-Key'?: string } = {}) =>
    api.POST('/shoes', { params: { header }, body }),
  editAll: (body: Body<'/workouts/bulk-edit', 'post'>) => api.POST('/workouts/bulk-edit', { body }),
  shoes: () => api.GET('/shoes'),
  days: (query: { from: string; to: string }) => api.GET('/stats/daily', { params: { query } }),
  efforts: (path: Path) => api.GET('/workouts/{id}/best-efforts', { params: { path } }),
  today: () => api.GET('/training/today'),
  addGoal: (body: Body<'/training/goals', 'post'>) => api.POST('/training/goals', { body }),
  crop: (path: Path, body: Body<'/workouts/{id}/crop', 'post'>) =>
    api.POST('/workouts/{id}/crop', { params: { path }, body }),
  changes: (query: Query<'/changes'>) => api.GET('/changes', { params: { query } }),
  logIn: (body: Body<'/auth/login', 'post'>) => api.POST('/auth/login', { body }),
  addKey: (token: string, body: Body<'/auth/api-keys', 'post'>) =>
    api.POST('/auth/api-keys', { body, headers: { Authorization: \`Bearer \${token}\` } }),
  keys: (token: string) => api.GET('/auth/api-keys', { headers: { Authorization: \`Bearer \${token}\` } }),
  feed: () => api.GET('/settings/calendar-feed'),
}
${TASKS}`

const HEY = `
import { client } from './hey/client.gen'
import * as api from './hey/sdk.gen'
import type * as types from './hey/types.gen'
import service from './service.json'
client.setConfig({ baseUrl: service.address as types.ClientOptions['baseUrl'], auth: service.key })
type Path = { id: string }
const calls = {
  importFile: async (file: File) => (await api.importWorkouts({ body: { file: [file] } })).data,
  list: (query: types.ListWorkoutsData['query'], headers: types.ListWorkoutsData['headers'] = {}) =>
    api.listWorkouts({ query, headers }),
  samples: (path: Path) => api.getWorkoutSamples({ path }),
  original: (path: Path) => api.downloadWorkoutFile({ path, parseAs: 'blob' }),
  edit: (path: Path, body: types.UpdateWorkoutData['body'], headers: types.UpdateWorkoutData['headers'] = {}) =>
    api.updateWorkout({ path, body, headers }),
  undo: (path: Path) => api.undoReceipt({ path }),
  read: (path: Path) => api.getWorkout({ path, query: { includeRaw: false } }),
  addShoe: (body: types.CreateShoeData['body'], headers: types.CreateShoeData['headers'] = {}) =>
    api.createShoe({ body, headers }),
  editAll: (body: types.BulkEditWorkoutsData['body']) => api.bulkEditWorkouts({ body }),
  shoes: () => api.listShoes(),
  days: (query: types.ListDailyData['query']) => api.listDaily({ query }),
  efforts: (path: Path) => api.listWorkoutBestEfforts({ path }),
  today: () => api.getTrainingToday(),
  addGoal: (body: types.CreateGoalData['body']) => api.createGoal({ body }),
  crop: (path: Path, body: types.CropWorkoutData['body']) => api.cropWorkout({ path, body }),
  changes: (query: types.ListChangesData['query']) => api.listChanges({ query }),
  logIn: (body: types.LogInData['body']) => api.logIn({ body }),
  addKey: (auth: string, body: types.CreateApiKeyData['body']) => api.createApiKey({ auth, body }),
  keys: (auth: string) => api.listApiKeys({ auth }),
  feed: () => api.getCalendarFeed(),
}
${TASKS}`

const PYTHON = `
import json
import time
from base64 import b64decode
from datetime import date, datetime, timedelta, timezone
from io import BytesIO
from pathlib import Path
from uuid import UUID, uuid4
from harrier import AuthenticatedClient
from harrier import models
from harrier.api.auth import create_api_key, list_api_keys, log_in
from harrier.api.calendar import get_calendar_feed
from harrier.api.details_of_a_run import download_workout_file, get_workout_samples
from harrier.api.events import list_changes
from harrier.api.import_ import import_workouts
from harrier.api.races_and_goals import create_goal
from harrier.api.receipts import undo_receipt
from harrier.api.records import list_workout_best_efforts
from harrier.api.repairs import crop_workout
from harrier.api.shoes import create_shoe, list_shoes
from harrier.api.statistics import list_daily
from harrier.api.system import get_metrics
from harrier.api.training import get_training_today
from harrier.api.workouts import bulk_edit_workouts, get_workout, list_workouts, update_workout
from harrier.types import File
service = json.loads(Path("service.json").read_text())
api = AuthenticatedClient(base_url=service["address"], token=service["key"])
data = b64decode(service["file"])
body = models.ImportWorkoutsRequest(file=[File(payload=BytesIO(data), file_name="a.fit")])
imported = import_workouts.sync(client=api, body=body)
assert isinstance(imported, models.ImportedFile), imported
run = imported.id
listed = list_workouts.sync(client=api, page_size=5)
samples = get_workout_samples.sync(id=run, client=api)
original = download_workout_file.sync(id=run, client=api)
change = models.WorkoutEdit(name="Hills", run_type=models.RunType.LONG_RUN)
edited = update_workout.sync_detailed(id=run, client=api, body=change)
undone = undo_receipt.sync(id=UUID(edited.headers["Harrier-Receipt"]), client=api)
shown = get_workout.sync(id=run, client=api, include_raw=False)
shoe = create_shoe.sync(client=api, body=models.NewShoe(brand="Hoka", model="Clifton 9"))
wear = models.BulkEdit(ids=[run], set_=models.BulkEditSet(shoe_id=shoe.id))
worn = bulk_edit_workouts.sync(client=api, body=wear)
shoes = list_shoes.sync(client=api)
day = imported.started_at.date()
daily = list_daily.sync(client=api, from_=day, to=day + timedelta(days=1))
efforts = list_workout_best_efforts.sync(id=run, client=api)
today = get_training_today.sync(client=api)
target = models.NewGoal(metric=models.GoalMetric.RUNS, period=models.GoalPeriod.WEEK, target=4)
goal = create_goal.sync(client=api, body=target)
trim = models.WorkoutCrop(remove_from_start_seconds=60, dry_run=True)
tried = crop_workout.sync(id=run, client=api, body=trim)
refused = get_workout.sync(id=UUID("0198a000-0000-7000-8000-0000000000ff"), client=api)
changes = list_changes.sync(client=api, after=0)
changed = next(one for one in changes.items if one.id == run)
since = list_workouts.sync(client=api, updated_since=shown.updated_at.isoformat())
later = list_workouts.sync(client=api, updated_since="2999-01-01")
again = list_workouts.sync_detailed(client=api)
for _ in range(100):
  if again.status_code != 200: break
  time.sleep(0.05)
  again = list_workouts.sync_detailed(client=api, if_none_match=again.headers["ETag"])
late = update_workout.sync(id=run, client=api, body=models.WorkoutEdit(notes="late"), if_match='"0-"')
fresh = get_workout.sync_detailed(id=run, client=api).headers["ETag"]
noted = update_workout.sync(id=run, client=api, body=models.WorkoutEdit(notes="in time"), if_match=fresh)
once = str(uuid4())
spare = models.NewShoe(brand="Saucony", model="Ride 17")
bought = [create_shoe.sync(client=api, body=spare, idempotency_key=once) for _ in range(2)]
other = models.NewShoe(brand="Saucony", model="Ride 18")
used = create_shoe.sync(client=api, body=other, idempotency_key=once)
who = models.LogInBody(username=service["username"], password=service["password"])
cookie = log_in.sync_detailed(client=api, body=who).headers["Set-Cookie"]
session = AuthenticatedClient(base_url=service["address"], token=cookie.split(";")[0].split("=")[1])
ends = datetime(2999, 1, 1, tzinfo=timezone.utc)
wish = models.NewApiKey(label="mirror", scope=models.ApiKeyScope.READ, expires_at=ends)
made = create_api_key.sync(client=session, body=wish)
keys = list_api_keys.sync(client=session)
feed = get_calendar_feed.sync(client=api)
assert "harrier_runs 1" in get_metrics.sync(client=api)
print(json.dumps([
  [one.id == run for one in listed.items], len(samples.heart_rate_bpm) == samples.count,
  original.payload.read() == data, edited.parsed.name, edited.parsed.run_type, undone.undone,
  [shown.name, shown.run_type], worn.changed, [one.runs for one in shoes],
  [one.runs for one in daily.days], efforts.distances[0].rank_ever,
  len(today.date.isoformat()), goal.target, isinstance(tried, models.TriedRun), refused.code,
  [changed.kind, changed.change], changes.more, [one.id == run for one in since.items],
  len(later.items), again.status_code, late.code, noted.notes,
  bought[0].id == bought[1].id, used.code, made.expires_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
  [[one.scope, one.expires_at is None, len(str(one.last_used_at or ""))] for one in keys], feed.created_at,
]))
`

const DONE = [
  ...[[true], true, true, 'Hills', 'Long Run', 1, [null, null], 1, [1], [1], 1, 10, 4, true],
  'workout_not_found',
  ...[['workout', 'created'], false, [true], 0, 304, 'workout_changed', 'in time', true, 'idempotency_key_reused'],
  ...[
    '2999-01-01T00:00:00Z',
    [
      ['read', false, 0],
      ['full', true, 10],
    ],
    null,
  ],
]

describe.skipIf(!hasTypeScript)('a TypeScript client is generated, type-checked and used', () => {
  test.each([
    ['openapi-typescript', ['generate.js'], FETCH],
    ['hey-api', ['node_modules/@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey', '-s'], HEY],
  ])(
    '%s',
    async (name, generate, client) => {
      await using _service = await served()
      await Bun.write(join(folder, 'generate.js'), GENERATE)
      await Bun.write(join(folder, `${name}.ts`), client)
      expect(run([bun, ...generate])).toEqual({ ok: true, text: '' })
      const options = ['--strict', '--noEmit', '--target', 'esnext', '--module', 'preserve']
      const checks = ['--lib', 'esnext,dom,dom.iterable', '--resolveJsonModule', `${name}.ts`]
      expect(run([bun, 'node_modules/typescript/bin/tsc', ...options, ...checks])).toEqual({ ok: true, text: '' })
      expect(run([bun, `${name}.ts`]).text).toBe(`${JSON.stringify(DONE)}\n`)
    },
    300_000,
  )
})

test.skipIf(!hasPython)(
  'a Python client is generated without a warning and used',
  async () => {
    await using _service = await served()
    const generate = ['generate', '--path', 'openapi.json', '--meta', 'none', '--output-path', 'harrier']
    const { ok, text } = run(['openapi-python-client', ...generate])
    expect([ok, text.replaceAll(/\s+/g, ' ').trim()]).toEqual([true, 'Generating harrier'])
    await Bun.write(join(folder, 'client.py'), PYTHON)
    const used = run([python, 'client.py'])
    expect(used.text).toMatch(/^\[/)
    expect(JSON.parse(used.text)).toEqual(DONE)
  },
  300_000,
)
