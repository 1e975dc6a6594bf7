import { expect, test } from 'bun:test'
import { contentOf, createLarge, JSON_TYPE, type LargeContent } from '../../src/http/large.ts'
import { heldFile } from '../../src/workers/written-file.ts'

const MIB = 1_048_576
const FILE_TYPE = { 'Content-Type': 'application/gpx+xml' }

/** The way of large answers, with alarms that ring when time passes. */
function way() {
  const alarms = new Set<{ atMs: number; ring: () => void }>()
  let nowMs = 0
  const after = (ms: number, ring: () => void) => {
    const alarm = { atMs: nowMs + ms, ring }
    alarms.add(alarm)
    return () => void alarms.delete(alarm)
  }
  const [closed, made]: [string[], string[]] = [[], []]
  const { large, streamed } = createLarge({ after, close: ({ url }) => void closed.push(url) })
  /** Asks with a request that its client may leave. */
  const asked = <T>(name: string, answerTo: (request: Request) => Promise<T>) => {
    const leaving = new AbortController()
    const answer = answerTo(new Request(`http://pi/${name}`, { signal: leaving.signal }))
    answer.catch(() => {})
    return { answer, leave: () => leaving.abort() }
  }
  return {
    ...{ large, made, closed, alarms },
    pass: (ms: number) => {
      nowMs += ms
      for (const alarm of [...alarms].filter(({ atMs }) => atMs <= nowMs)) {
        alarms.delete(alarm)
        alarm.ring()
      }
    },
    /** Asks for an answer of so many MiB. */
    ask: (name: string, mib: number, making: Promise<unknown> = Promise.resolve()) =>
      asked(name, (request) =>
        large(request, async () => {
          made.push(name)
          await making
          const pieces = Array.from({ length: 4 * mib }, () => new Uint8Array(MIB / 4))
          return { content: { size: mib * MIB, isPacked: false, pieces }, headers: FILE_TYPE }
        }),
      ),
    /** Asks for a stream of parts, each of which takes so many MiB until the next is made and is sent as one piece; a negative one fails. */
    askStream: (name: string, mibs: readonly number[]) => {
      async function* parts() {
        try {
          for (const mib of mibs) {
            if (mib < 0) throw new RangeError('no samples')
            made.push(`${name} ${mib}`)
            yield mib
          }
        } finally {
          made.push(`${name} ends`)
        }
      }
      const joined = async (mibs: AsyncIterable<number>) => {
        const pieces = mibs[Symbol.asyncIterator]()
        let next: IteratorResult<number> | null = await pieces.next()
        const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
          const { done } = next ?? (await pieces.next())
          next = null
          if (done) controller.close()
          else controller.enqueue(new Uint8Array(65_536))
        }
        const cancel = async () => void (await pieces.return?.())
        return new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
      }
      return asked(name, (request) => streamed(request, { parts: parts(), bytesOf: (mib) => mib * MIB, joined }))
    },
  }
}

const failureOf = (failing: Promise<unknown>) => failing.catch((error: unknown) => error)

/** Reads so many bytes, all of them when there are fewer. */
async function taken(reader: ReadableStreamDefaultReader<Uint8Array>, most = Number.POSITIVE_INFINITY) {
  let bytes = 0
  while (bytes < most) {
    const { done, value } = await reader.read()
    if (done) return bytes
    expect(value.length).toBeLessThanOrEqual(65_536)
    bytes += value.length
  }
  return bytes
}

const moment = () => Bun.sleep(2)

test('answers are made one at a time, in the order of their requests; a failure is its own', async () => {
  const { ask, made } = way()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const [first, second, third] = [ask('first', 1, promise), ask('second', 1, Promise.resolve()), ask('third', 1)]
  await moment()
  expect(made).toEqual(['first'])
  reject(new RangeError('no samples'))
  resolve()
  expect(await failureOf(first.answer)).toEqual(new RangeError('no samples'))
  await Promise.all([second.answer, third.answer])
  expect(made).toEqual(['first', 'second', 'third'])
})

test('beyond 16 MiB that nobody has taken nothing is made, except one answer when there is none', async () => {
  const { ask, made } = way()
  const [first, second] = [ask('first', 9), ask('second', 40)]
  const readers = [(await first.answer).body!.getReader(), (await second.answer).body!.getReader()]
  const third = ask('third', 1)
  await moment()
  expect(made).toEqual(['first', 'second'])
  expect(await taken(readers[0]!)).toBe(9 * MIB)
  await taken(readers[1]!, 23 * MIB)
  await moment()
  expect(made).toEqual(['first', 'second'])
  await taken(readers[1]!, 2 * MIB)
  await third.answer
  expect(made).toEqual(['first', 'second', 'third'])
})

test('what a client abandons counts no more, whether it ends the answer or its connection', async () => {
  const { ask, made, alarms } = way()
  const first = ask('first', 20)
  await first.answer
  const second = ask('second', 20)
  await moment()
  expect(made).toEqual(['first'])
  first.leave()
  const { body } = await second.answer
  const third = ask('third', 1)
  await moment()
  expect(made).toEqual(['first', 'second'])
  await body!.cancel()
  const left = await third.answer
  expect(made).toEqual(['first', 'second', 'third'])
  await left.body!.cancel()
  expect(alarms.size).toBe(0)
})

test('an answer that is abandoned while it is compressed gives its room back once', async () => {
  const pieces = Array.from({ length: 8 }, () => Bun.zstdCompressSync(crypto.getRandomValues(new Uint8Array(65_536))))
  const content: LargeContent = { size: MIB / 2, isPacked: true, pieces: pieces as Buffer<ArrayBuffer>[] }
  for (let reads = 0; reads < 8; reads += 1) {
    const { large, ask, made } = way()
    const leaving = new AbortController()
    const request = new Request('http://pi/', { signal: leaving.signal, headers: { 'accept-encoding': 'gzip' } })
    const { body } = await large(request, async () => ({ content, headers: JSON_TYPE }))
    const reader = body!.getReader()
    for (let k = 0; k < reads; k += 1) await reader.read()
    void reader.read()
    await new Promise((resolve) => setImmediate(resolve))
    leaving.abort()
    await moment()
    await ask('first', 16).answer
    const second = ask('second', 1)
    await moment()
    expect(made).toEqual(['first'])
    second.leave()
  }
})

test('an answer whose client leaves while it waits is never made', async () => {
  const { ask, made } = way()
  const first = ask('first', 20)
  await first.answer
  const [room, turn, last] = [ask('waits for room', 1), ask('waits for its turn', 1), ask('last', 1)]
  await moment()
  turn.leave()
  room.leave()
  expect(await failureOf(room.answer)).toBeInstanceOf(Error)
  expect(await failureOf(turn.answer)).toBeInstanceOf(Error)
  first.leave()
  await last.answer
  expect(made).toEqual(['first', 'last'])
})

test('while others wait, a client slower than 16 KiB/s over 30 s is cut off', async () => {
  const { ask, made, pass, closed } = way()
  const [slow, steady] = [ask('slow', 8), ask('steady', 9)]
  const slowReader = (await slow.answer).body!.getReader()
  const steadyReader = (await steady.answer).body!.getReader()
  // nobody waits: it may take as long as it likes
  pass(30_000)
  await taken(slowReader, 65_536)
  const third = ask('third', 1)
  await moment()
  pass(29_999)
  await taken(slowReader, 30 * 16_384 - 65_537 - 65_536)
  await taken(steadyReader, 30 * 16_384)
  expect([closed.length, made]).toEqual([0, ['slow', 'steady']])
  pass(1)
  expect(await failureOf(slowReader.read())).toBeInstanceOf(Error)
  expect(closed).toEqual(['http://pi/slow'])
  await third.answer
  expect(made).toEqual(['slow', 'steady', 'third'])
  expect(await taken(steadyReader)).toBeGreaterThan(8 * MIB)
})

test('a part of a stream is held until the next one is made, which waits for room; one is made when nothing is held', async () => {
  const { ask, askStream, made } = way()
  const reader = (await askStream('zip', [20, 17, 2, 1]).answer).getReader()
  const other = ask('other', 9)
  await reader.read()
  await moment()
  expect(made).toEqual(['zip 20'])
  await reader.read()
  const { body } = await other.answer
  expect(made).toEqual(['zip 20', 'other', 'zip 17'])
  await reader.read()
  const others = [ask('another', 8), ask('last', 1)]
  await others[0]!.answer
  const rest = taken(reader)
  await moment()
  expect(made.slice(3)).toEqual(['zip 2', 'another'])
  await body!.cancel()
  await others[1]!.answer
  await rest
  expect(made.slice(5)).toEqual(['last', 'zip 1', 'zip ends'])
})

test('eight streams are sent at once, others begin in the order of their requests; what nobody began opens nothing', async () => {
  const { askStream, made, alarms } = way()
  const streams = Array.from({ length: 8 }, (_, k) => askStream(String(k), [0.1, 0.1, 0.1]))
  const bodies = await Promise.all(streams.map(({ answer }) => answer))
  made.length = 0
  const [gone, ninth, tenth] = [askStream('gone', [1]), askStream('ninth', [1]), askStream('tenth', [1])]
  await moment()
  gone.leave()
  expect(await failureOf(gone.answer)).toBeInstanceOf(Error)
  expect(made).toEqual([])
  streams[0]!.leave()
  const begun = [await ninth.answer]
  await bodies[1]!.cancel()
  begun.push(await tenth.answer)
  expect(made).toEqual(['0 ends', 'ninth 1', '1 ends', 'tenth 1'])
  for (const body of [...bodies.slice(2), ...begun]) await taken(body.getReader())
  expect(alarms.size).toBe(0)
})

test('while others wait, a slow reader of a stream is cut off, but not one whose next part waits for room', async () => {
  const { ask, askStream, made, pass, closed } = way()
  const waiting = (await askStream('waiting', [1, 1]).answer).getReader()
  const slow = (await askStream('slow', [9]).answer).getReader()
  const steady = (await ask('steady', 8).answer).body!.getReader()
  await waiting.read()
  const second = waiting.read()
  await taken(steady, 30 * 16_384)
  pass(30_000)
  expect(await failureOf(slow.read())).toBeInstanceOf(Error)
  expect((await second).done).toBe(false)
  expect(closed).toEqual(['http://pi/slow'])
  expect(made).toEqual(['waiting 1', 'slow 9', 'steady', 'slow ends', 'waiting 1'])
})

test('a failure of the first part is thrown, a later one ends the stream and its connection', async () => {
  const { askStream, closed, alarms } = way()
  const failure = new RangeError('no samples')
  expect(await failureOf(askStream('first', [-1]).answer)).toEqual(failure)
  const reader = (await askStream('second', [1, -1]).answer).getReader()
  await reader.read()
  expect(await failureOf(reader.read())).toEqual(failure)
  expect(closed).toEqual(['http://pi/second'])
  expect(alarms.size).toBe(0)
})

test('a long answer is compressed while it is taken, a short one at once; a file is sent as it is', async () => {
  const text = JSON.stringify(Array.from({ length: 700_000 }, (_, k) => (k * k) % 977))
  const encoder = new TextEncoder()
  const long = heldFile(text.match(/.{1,200000}/gs)!.map((piece) => encoder.encode(piece)))
  const packed = heldFile(Array.from({ length: 3 }, () => encoder.encode(text.padEnd(2 * MIB))))
  expect([long.isPacked, packed.isPacked]).toEqual([false, true])
  const { large } = way()
  for (const [content, expected] of [
    [contentOf(['{"text":', encoder.encode(JSON.stringify(text)), '}']), `{"text":${JSON.stringify(text)}}`],
    [long, text],
    [packed, text.padEnd(2 * MIB).repeat(3)],
  ] as readonly (readonly [LargeContent, string])[]) {
    for (const [accepts, type, encoding] of [
      ['gzip', JSON_TYPE, 'gzip'],
      ['gzip, zstd', JSON_TYPE, 'zstd'],
      ['identity', JSON_TYPE, null],
      ['gzip', FILE_TYPE, null],
    ] as const) {
      const request = new Request('http://pi/', { headers: { 'accept-encoding': accepts } })
      const { headers, body } = await large(request, async () => ({ content, headers: type }))
      const vary = type === JSON_TYPE ? 'Accept-Encoding' : null
      expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([encoding, vary])
      const bytes = await new Response(body).bytes()
      const length = content.isPacked && encoding !== null ? null : String(bytes.length)
      if (type === JSON_TYPE) expect(headers.get('content-length')).toBe(length)
      const plain =
        encoding === 'gzip' ? Bun.gunzipSync(bytes) : encoding === 'zstd' ? Bun.zstdDecompressSync(bytes) : bytes
      expect(new TextDecoder().decode(plain) === expected, `${accepts} ${content.size}`).toBe(true)
    }
  }
})
