// Clients that two usual generators make of the API document import, list, download, edit and undo, without a cast.
import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fitRun } from '../fixtures/runs.ts'
import { tempFolder } from '../temp-folder.ts'
import { startServer } from './real-server.ts'

const folder = tempFolder()

/** The generators come from their registries; without a network these tests are skipped. */
const NPM = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3']
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
  await Bun.write(join(folder, 'service.json'), JSON.stringify({ address: server.address, key, file }))
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

const TYPESCRIPT = `
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'
import service from './service.json'
const api = createClient<paths>({ baseUrl: service.address, headers: { Authorization: \`Bearer \${service.key}\` } })
const file = new File([Uint8Array.from(atob(service.file), (one) => one.charCodeAt(0))], 'a.fit')
const imported = await api.POST('/workouts/import', {
  body: { file: [file] },
  bodySerializer: ({ file }) => {
    const form = new FormData()
    for (const one of file) form.append('file', one)
    return form
  },
})
if (imported.data === undefined || !('id' in imported.data)) throw new Error(JSON.stringify(imported.error))
const { id } = imported.data
const listed = await api.GET('/workouts', { params: { query: { pageSize: 5, sortOrder: 'desc' } } })
const path = { id }
const original = await api.GET('/workouts/{id}/file', { params: { path }, parseAs: 'blob' })
const edited = await api.PATCH('/workouts/{id}', { params: { path }, body: { name: 'Hills', runType: 'Long Run' } })
const receipt = edited.response.headers.get('Harrier-Receipt') ?? ''
const undone = await api.POST('/receipts/{id}/undo', { params: { path: { id: receipt } } })
const { data: shown } = await api.GET('/workouts/{id}', { params: { path, query: { includeRaw: false } } })
console.log(JSON.stringify([
  listed.data?.items.map((one) => one.id === id), original.data?.size === file.size,
  edited.data?.name, edited.data?.runType, undone.data?.undone, shown?.name ?? null, shown?.runType ?? null,
]))
`

const PYTHON = `
import json
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from uuid import UUID
from harrier import AuthenticatedClient
from harrier.api.receipts import undo_receipt
from harrier.api.system import get_metrics
from harrier.api.workouts import download_workout_file, get_workout, import_workouts, list_workouts, update_workout
from harrier.models import ImportedFile, ImportWorkoutsRequest, RunType, UpdateWorkoutBody, WorkoutDetail
from harrier.types import File
service = json.loads(Path("service.json").read_text())
api = AuthenticatedClient(base_url=service["address"], token=service["key"])
data = b64decode(service["file"])
body = ImportWorkoutsRequest(file=[File(payload=BytesIO(data), file_name="a.fit")])
imported = import_workouts.sync(client=api, body=body)
assert isinstance(imported, ImportedFile), imported
listed = list_workouts.sync(client=api, page_size=5)
original = download_workout_file.sync(id=imported.id, client=api)
change = UpdateWorkoutBody(name="Hills", run_type=RunType.LONG_RUN)
edited = update_workout.sync_detailed(id=imported.id, client=api, body=change)
undone = undo_receipt.sync(id=UUID(edited.headers["Harrier-Receipt"]), client=api)
shown = get_workout.sync(id=imported.id, client=api, include_raw=False)
assert isinstance(shown, WorkoutDetail)
assert "harrier_runs 1" in get_metrics.sync(client=api)
print(json.dumps([
  [one.id == imported.id for one in listed.items], original.payload.read() == data,
  edited.parsed.name, edited.parsed.run_type, undone.undone, shown.name, shown.run_type,
]))
`

const DONE = [[true], true, 'Hills', 'Long Run', 1, null, null]

test.skipIf(!hasTypeScript)(
  'a TypeScript client is generated, type-checked and used',
  async () => {
    await using _service = await served()
    await Bun.write(join(folder, 'generate.js'), GENERATE)
    await Bun.write(join(folder, 'client.ts'), TYPESCRIPT)
    expect(run([bun, 'generate.js'])).toEqual({ ok: true, text: '' })
    const options = ['--strict', '--noEmit', '--target', 'esnext', '--module', 'preserve']
    const checks = ['--lib', 'esnext,dom,dom.iterable', '--resolveJsonModule', 'client.ts']
    expect(run([bun, 'node_modules/typescript/bin/tsc', ...options, ...checks])).toEqual({ ok: true, text: '' })
    const { text } = run([bun, 'client.ts'])
    expect(text).toBe(`${JSON.stringify(DONE)}\n`)
  },
  300_000,
)

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
