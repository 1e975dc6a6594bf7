import { type Answer, type TestApp, testApp } from '../app.ts'
import { png } from '../fixtures/media.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { type Document, departures } from '../http/document.ts'
import { type Attack, Defect } from './attack.ts'
import { expectDecent, expectQuiet, expectUsable } from './library.ts'
import { knownOf, requestMaker, type Sent } from './requests.ts'

const REQUESTS = 100
/** Requests after which the ids are looked up again. */
const LOOK_AGAIN = 20
/** No other host is contacted. */
const ENV = { MAP_TILES_URL: 'http://127.0.0.1:9/{z}/{x}/{y}.png' }

/** Spoiled requests, one after the other, to a library of two runs, which must remain usable and exportable. */
export const http: Attack = {
  name: 'http',
  share: 0.35,
  // a case holds two applications, which would add up
  casesAProcess: 1,
  prepare: async () => {
    await using first = await testApp({ env: ENV })
    const document: Document = (await first.call('GET', '/swagger/json')).json
    const make = requestMaker(document)
    return async ({ random, input }) => {
      await using app = await testApp({ env: ENV })
      await fill(app)
      let known = await knownOf(app)
      let accepted = 0
      for (let i = 0; i < REQUESTS; i += 1) {
        if (i % LOOK_AGAIN === 0) known = await knownOf(app)
        const sent = make(known, random)
        const answer = await input(written(sent), () => app.call(sent.method, sent.path, sent))
        expectDecent(`${sent.method} ${sent.path.slice(0, 300)}`, answer)
        expectQuiet(app)
        expectDocumented(document, sent, answer)
        if (answer.status < 400) accepted += 1
      }
      await expectUsable(app, { isRestored: random.chance(0.5) })
      expectQuiet(app)
      return { inputs: REQUESTS, accepted }
    }
  },
}

async function fill(app: TestApp): Promise<void> {
  await app.call('POST', '/shoes', { json: { brand: 'Road', model: 'One' } })
  await app.call('PUT', '/settings/heart-rate-zones', { json: { calculationMethod: 'AgeBased', age: 40 } })
  const { json } = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun({ seconds: 90 }) }])
  const gpx = gpxRun({ seconds: 45, startMs: START_MS - 86_400_000 })
  await app.upload('/workouts/import', [{ name: 'b.gpx', bytes: gpx }])
  await app.upload(`/workouts/${json.id}/media`, [{ name: 'a.png', bytes: png() }])
}

/** As it is kept when it fails. */
function written({ method, path, headers, body }: Sent): { readonly name: string; readonly bytes: Uint8Array } {
  const head = `${method} ${path}\n${JSON.stringify(headers ?? {})}\n\n`
  const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : '')
  return { name: 'request', bytes: Buffer.concat([Buffer.from(head), bytes]) }
}

/** Checks status and body against the OpenAPI document. */
function expectDocumented(document: Document, { method, path, operation }: Sent, answer: Answer): void {
  if (operation === null) return
  const where = `${method} ${path.slice(0, 300)}: ${answer.status} ${answer.text.slice(0, 200)}`
  const stated = operation.responses[answer.status]
  if (stated === undefined) throw new Defect(`The document has no such status: ${where}`)
  const schema = stated.content?.['application/json']?.schema
  if (schema === undefined || answer.json === undefined) return
  const departure = departures(document, schema, answer.json)
  if (departure !== null) throw new Defect(`The document says otherwise, ${departure}: ${where}`)
}
