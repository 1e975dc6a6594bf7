import { cutText, printableName } from '../../base/texts.ts'

/** Most code points of a run's name within a file name. */
const NAME_LENGTH = 80
const RESERVED = /[<>:"/\\|?*]+/g

/** Start of a run by local time: `2025-11-01T08:00:00`; UTC when the place is unknown. */
export function localTime(startedAt: number, utcOffsetMinutes: number | null): string {
  return new Date(startedAt + (utcOffsetMinutes ?? 0) * 60_000).toISOString().slice(0, 19)
}

/** `2025-11-01-0800-Morning run`, without extension; for a run without name `2025-11-01-0800-run`. */
export function runFileStem(startedAt: number, utcOffsetMinutes: number | null, name: string | null): string {
  const [date = '', clock = ''] = localTime(startedAt, utcOffsetMinutes).split('T')
  const plain = printableName((name ?? '').toWellFormed()).replace(RESERVED, '-')
  // some systems drop dots and blanks at the end, and a name of dots is a path
  const trimmed = cutText(plain, NAME_LENGTH).replace(/^[\s.-]+|[\s.-]+$/g, '')
  // removing characters may have joined two code points that NFC composes to one
  return `${date}-${clock.slice(0, 5).replace(':', '')}-${trimmed || 'run'}`.normalize('NFC')
}

/** Extension of an original, such as `.fit.gz`: from its name, else from its type; only plain letters. */
export function originalExtension(fileName: string | null, fileType: string | null): string {
  const found = /\.([a-z0-9]{1,8})(\.gz)?$/i.exec(fileName ?? '')
  const [, kind = '', packed = ''] = found ?? []
  if (kind.toLowerCase() === 'gz') return `.${fileType ?? 'bin'}.gz`
  return `.${(kind || fileType || 'bin').toLowerCase()}${packed.toLowerCase()}`
}

/** Returns a function that makes names unique, ignoring case: a repeated name becomes `name-2`. */
export function distinctNames(): (stem: string, extension: string) => string {
  const taken = new Set<string>()
  return (stem, extension) => {
    for (let count = 1; ; count += 1) {
      const name = `${stem}${count === 1 ? '' : `-${count}`}${extension}`
      const key = name.toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return name
    }
  }
}
