// What a library holds, as a caller sees it: which runs are live, which are in the trash, and how far they went in all.
import { expect } from 'bun:test'
import type { Answer, CallOptions, TestApp } from '../app.ts'

export interface Listed {
  readonly id: string
  readonly distanceM: number
  readonly durationS: number
  readonly shoeId: string | null
}

const sum = (runs: readonly { readonly distanceM: number }[]) => runs.reduce((all, { distanceM }) => all + distanceM, 0)

/** A call that may be refused, but must not fail. */
export async function asked(app: TestApp, call: string, json?: CallOptions['json']): Promise<Answer> {
  const [method = '', path = ''] = call.split(' ')
  const answer = await app.call(method, path, json === undefined ? {} : { json })
  expect(`${call}: ${answer.status < 500 ? '' : answer.text}`).toBe(`${call}: `)
  return answer
}

/** A call that must succeed. @returns its body */
export async function done(app: TestApp, call: string, json?: CallOptions['json']) {
  const answer = await asked(app, call, json)
  expect(`${call}: ${answer.status < 300 ? '' : answer.text}`).toBe(`${call}: `)
  return answer.json
}

/** A call that must succeed. @returns its receipt */
export async function receiptOf(app: TestApp, call: string, json?: CallOptions['json']): Promise<string> {
  const answer = await asked(app, call, json)
  expect(`${call}: ${answer.status < 300 ? '' : answer.text}`).toBe(`${call}: `)
  return answer.headers.get('harrier-receipt')!
}

/** Imports a file of a run that is new. @returns id of the run */
export async function stored(app: TestApp, name: string, bytes: Uint8Array, fields = {}): Promise<string> {
  const { status, json, text } = await app.upload('/workouts/import', [{ name, bytes }], fields)
  expect(`${status} ${status === 200 ? json.action : text}`).toBe('200 created')
  return json.id
}

/** Every page of a list. */
async function all<T>(app: TestApp, path: string): Promise<T[]> {
  const items: T[] = []
  for (let page = 1; ; page += 1) {
    const answer = await done(app, `GET ${path}?pageSize=100&page=${page}`)
    items.push(...answer.items)
    if (page >= answer.totalPages) return items
  }
}

export const live = (app: TestApp) => all<Listed>(app, '/workouts')

export const trashed = (app: TestApp) => all<{ readonly workoutId: string; readonly distanceM: number }>(app, '/trash')

/** Metres of all live runs, and of those with what is in the trash. */
export async function metres(app: TestApp): Promise<{ readonly liveM: number; readonly withTrashM: number }> {
  const liveM = sum(await live(app))
  return { liveM, withTrashM: liveM + sum(await trashed(app)) }
}

/** Rounding of a part, at its worst. */
const ROUNDED_M = 0.05

/** No metre of `wholeM` counts twice, and none is lost. */
export async function expectWhole(app: TestApp, wholeM: number): Promise<void> {
  const { liveM, withTrashM } = await metres(app)
  expect({ liveM, isTwice: liveM > wholeM + ROUNDED_M }).toEqual({ liveM, isTwice: false })
  expect({ withTrashM, isLost: withTrashM < wholeM - ROUNDED_M }).toEqual({ withTrashM, isLost: false })
}
