export type ZipErrorKind = 'notZip' | 'damaged' | 'unsafe' | 'tooLarge' | 'encrypted'

/** An archive, or a file in it, that cannot be read. The message is a sentence for the runner without file names. */
export class ZipError extends Error {
  readonly kind: ZipErrorKind
  /** `entry`: the other entries can still be read. */
  readonly scope: 'archive' | 'entry'

  constructor(kind: ZipErrorKind, message: string, options: { scope?: 'archive' | 'entry'; cause?: unknown } = {}) {
    super(message, options)
    this.name = 'ZipError'
    this.kind = kind
    this.scope = options.scope ?? 'archive'
  }
}

export function entryError(kind: ZipErrorKind, message: string, cause?: unknown): ZipError {
  return new ZipError(kind, message, { scope: 'entry', cause })
}
