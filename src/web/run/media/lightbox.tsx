import { useEffect } from 'preact/hooks'
import { bytes, number } from '../../format.ts'
import { useBackStep } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { useModal } from '../../ui/use-modal.ts'
import type { Media } from '../types.ts'
import { CaptionLine } from './caption-line.tsx'

interface LightboxProps {
  /** Path of the media calls. */
  readonly path: string
  readonly media: readonly Media[]
  readonly openId: string
  readonly onOpen: (id: string | null) => void
  readonly onRemove: (medium: Media) => void
  /** Stores a caption; resolves to an error message, or null. */
  readonly onCaption: (medium: Media, caption: string | null) => Promise<string | null>
}

/** One photo or video in the size of the window; arrow keys go on, Escape and Back close it, and the focus returns. */
export function Lightbox({ path, media, openId, onOpen, onRemove, onCaption }: LightboxProps) {
  const close = () => onOpen(null)
  useBackStep(close)
  const modal = useModal(close)
  const at = media.findIndex(({ id }) => id === openId)
  const medium = media[at]
  const isGone = medium === undefined
  useEffect(() => {
    if (isGone) onOpen(null)
  }, [isGone, onOpen])
  if (medium === undefined) return null
  const go = (step: number) => onOpen(media[(at + step + media.length) % media.length]?.id ?? null)
  const isVideo = medium.mimeType.startsWith('video/')
  return (
    <dialog
      {...modal}
      class="lightbox"
      aria-label={medium.caption ?? medium.filename}
      onKeyDown={(event) => {
        // a video uses the arrow keys itself
        if (event.target instanceof HTMLVideoElement || media.length < 2) return
        if (event.key === 'ArrowLeft') go(-1)
        if (event.key === 'ArrowRight') go(1)
      }}
    >
      <div class="lightbox-bar level">
        <span class="lightbox-count cut small">
          {media.length > 1 ? `${number(at + 1)} of ${number(media.length)} · ` : ''}
          {medium.filename}
        </span>
        <a class="button quiet small" href={`${path}/${medium.id}`} download={medium.filename}>
          Save ({bytes(medium.fileSizeBytes)})
        </a>
        <Button kind="quiet" size="small" icon="trash" aria-label="Delete" onClick={() => onRemove(medium)} />
        <Button kind="quiet" size="small" icon="close" aria-label="Close" onClick={close} />
      </div>
      <div class="lightbox-stage level gap-3">
        {media.length > 1 && <Button kind="quiet" icon="left" aria-label="Previous" onClick={() => go(-1)} />}
        {isVideo ? (
          // biome-ignore lint/a11y/useMediaCaption: a runner's own video has no captions
          <video key={medium.id} src={`${path}/${medium.id}`} controls autoPlay playsInline preload="metadata" />
        ) : (
          <img key={medium.id} src={`${path}/${medium.id}`} alt={medium.caption ?? medium.filename} />
        )}
        {media.length > 1 && <Button kind="quiet" icon="right" aria-label="Next" onClick={() => go(1)} />}
      </div>
      <CaptionLine key={medium.id} caption={medium.caption} onSave={(caption) => onCaption(medium, caption)} />
    </dialog>
  )
}
