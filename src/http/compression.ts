import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Encodings of an answer, the preferred first; browsers offer zstd over https only. */
const ENCODINGS = ['zstd', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Less would not become smaller by a packet. */
export const LEAST_BYTES = 2048
const LEVEL = { level: 1 } as const
/** Their answers show secrets, whose letters could be guessed from the compressed length (BREACH, 2013). */
const SECRET = /^\/auth(?:\/|$)/

/** Marks an answer that blanks keep alive, which is sent as it comes. The frame replaces it. */
export const AS_IT_COMES = { 'Cache-Control': 'no-transform' }

/** The encoding that an answer is sent in (RFC 9110, 12.5.3); null: none. */
export function acceptedEncoding(request: Request): Encoding | null {
  return ENCODINGS.find((encoding) => accepts(request, encoding)) ?? null
}

export function accepts(request: Request, encoding: Encoding): boolean {
  const offered = request.headers.get('accept-encoding')?.toLowerCase().split(',') ?? []
  return offered.some((one) => {
    const [name = '', ...parameters] = one.split(';')
    return name.trim() === encoding && !parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter))
  })
}

/** Whether a JSON answer may be compressed. @param path canonical */
export function isCompressible({ headers, body }: Response, path: string): boolean {
  return body !== null && headers.get('cache-control') !== AS_IT_COMES['Cache-Control'] && !SECRET.test(path)
}

const gzipInPool = promisify(gzip)

/** Compresses bytes in a thread of the pool. */
export async function packed(bytes: Uint8Array<ArrayBuffer>, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  if (encoding === 'gzip') return await gzipInPool(bytes, LEVEL)
  // Bun's types allow for shared memory, which its Buffers of zstd are not
  return (await Bun.zstdCompress(bytes, LEVEL)) as Buffer<ArrayBuffer>
}
