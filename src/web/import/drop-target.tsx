import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../ui/button.tsx'
import { addFiles } from './imports.ts'
import './drop.css'

/** Imports files that are dropped anywhere on the window. Views with their own drop area stop the event. */
export function DropTarget() {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    // entering a child fires a leave event of its parent, so the nesting depth is counted
    let depth = 0
    const onEnter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      depth += 1
      setOver(true)
    }
    const onOver = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    }
    const onLeave = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth -= 1
      if (depth <= 0) setOver(false)
    }
    const onDrop = (event: DragEvent) => {
      depth = 0
      setOver(false)
      if (!hasFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      void droppedFiles(event).then(addFiles)
    }
    const listeners = [
      ['dragenter', onEnter],
      ['dragover', onOver],
      ['dragleave', onLeave],
      ['drop', onDrop],
    ] as const
    for (const [name, listener] of listeners) window.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener)
    }
  }, [])
  if (!isOver) return null
  return (
    <div class="drop-over" aria-hidden="true">
      <div>
        <Icon name="upload" />
        <strong>Drop to import</strong>
      </div>
    </div>
  )
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}

/** The files of a drop, including those in dropped folders. */
async function droppedFiles(event: DragEvent): Promise<File[]> {
  // both lists are available only until the first await
  const plain = [...(event.dataTransfer?.files ?? [])]
  const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null)
  if (!entries.some((entry) => entry?.isDirectory === true)) return plain
  const found: File[] = []
  for (const entry of entries) if (entry !== null) found.push(...(await filesOf(entry)))
  return found
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.name.startsWith('.')) return []
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))]
  if (!isFolder(entry)) return []
  const reader = entry.createReader()
  const found: File[] = []
  // a folder is read in groups of at most 100 entries; the last group is empty
  for (;;) {
    const piece = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (piece.length === 0) return found
    for (const child of piece) found.push(...(await filesOf(child)))
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
