import { cutText, printableName } from '../texts.ts'

/** Of a name within the name of a file, code points. */
const NAME_LENGTH = 80
/** What some system has another use for in names of files. */
const RESERVED = /[<>:"/\\|?*]+/g

/** When a run began by the clock at its place: `2025-11-01T08:00:00`; UTC when the place is not known. */
export function localTime(startedAt: number, utcOffsetMinutes: number | null): string {
  return new Date(startedAt + (utcOffsetMinutes ?? 0) * 60_000).toISOString().slice(0, 19)
}

/** `2025-11-01-0800-Morning run`, without extension; of a run without name `2025-11-01-0800-run`. */
export function runFileStem(startedAt: number, utcOffsetMinutes: number | null, name: string | null): string {
  const [date = '', clock = ''] = localTime(startedAt, utcOffsetMinutes).split('T')
  const plain = printableName((name ?? '').toWellFormed()).replace(RESERVED, '-')
  // dots and blanks at its end vanish on some systems, and a name of dots is a path
  const trimmed = cutText(plain, NAME_LENGTH).replace(/^[\s.-]+|[\s.-]+$/g, '')
  // what was taken out may have kept two letters apart that are one
  return `${date}-${clock.slice(0, 5).replace(':', '')}-${trimmed || 'run'}`.normalize('NFC')
}

/** Extension of an original, `.fit.gz`: of what it is, for uploads whose names say nothing; plain letters only. */
export function originalExtension(fileName: string | null, fileType: string | null): string {
  const found = /\.([a-z0-9]{1,8})(\.gz)?$/i.exec(fileName ?? '')
  const [, kind = '', packed = ''] = found ?? []
  if (kind.toLowerCase() === 'gz') return `.${fileType ?? 'bin'}.gz`
  return `.${(kind || fileType || 'bin').toLowerCase()}${packed.toLowerCase()}`
}

/** Names that are each given once, whatever the case: the second of a name is `name-2`. */
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
