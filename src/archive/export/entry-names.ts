import { printableName } from '../../base/texts.ts'
import { safeName } from '../../zip/entry-name.ts'

/** Longer names would make paths in the archive that some file systems cannot store. */
const NAME_LENGTH = 200

/**
 * Makes a user's file name safe as the last segment of a path in an archive: without separators, control characters and
 * characters with a meaning in paths. The original name is in the data files.
 */
export function entryFileName(name: string): string {
  const base = printableName(name.toWellFormed().normalize('NFC').split(/[\\/]/).at(-1) ?? '')
  const characters = [...base]
  const dot = characters.lastIndexOf('.')
  const extension = dot === -1 || characters.length - dot > 10 ? [] : characters.slice(dot)
  const cut =
    characters.length <= NAME_LENGTH
      ? base
      : [...characters.slice(0, NAME_LENGTH - extension.length), ...extension].join('')
  return /^\.*$/.test(cut) || safeName(`x/${cut}`) !== `x/${cut}` ? 'file' : cut
}
