import { describe, expect, test } from 'bun:test'
import { invalid } from '../../src/errors.ts'
import { slowJson } from '../../src/http/slow-json.ts'

const whenFailed = (error: unknown) => ({ success: false, errors: [error instanceof Error ? error.message : ''] })
const options = { whenFailed, silenceMs: 30 }

describe('a slow answer', () => {
  test('work that ends in time is its own answer', async () => {
    expect(await slowJson(Promise.resolve({ n: 1 }), options)).toEqual({ n: 1 })
    expect(await slowJson(Promise.reject(invalid('No file')), options).catch((error: unknown) => error)).toEqual(
      invalid('No file'),
    )
  })

  test('work that takes longer gets its 200 at once, then blanks, then the JSON', async () => {
    const work = Promise.withResolvers<{ totalProcessed: number }>()
    const answer = await slowJson(work.promise, options)
    if (!(answer instanceof Response)) throw new Error('answered too early')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    let text = ''
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      if (text === '  ') work.resolve({ totalProcessed: 3 })
    }
    expect(text).toMatch(/^ {2,}\{/)
    expect(JSON.parse(text)).toEqual({ totalProcessed: 3 })
  })

  test('work that fails after its 200 says so in the summary', async () => {
    const work = Bun.sleep(60).then(() => Promise.reject(new Error('The disk is full')))
    const answer = await slowJson(work, options)
    if (!(answer instanceof Response)) throw new Error('answered too early')
    expect(await answer.json()).toEqual({ success: false, errors: ['The disk is full'] })
  })

  test('a client that goes away does not end the work', async () => {
    let isDone = false
    const answer = await slowJson(
      Bun.sleep(80).then(() => {
        isDone = true
      }),
      options,
    )
    if (!(answer instanceof Response)) throw new Error('answered too early')
    await answer.body?.cancel()
    await Bun.sleep(90)
    expect(isDone).toBe(true)
  })
})
