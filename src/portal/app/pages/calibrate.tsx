/**
 * Measures an encoder on labelled descriptors: the report of the command `calibrate`, made by a worker in the browser,
 * which sends the file nowhere.
 */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { CalibrationAnswer, CalibrationRequest } from '../../../protocol/portal/calibration.ts';
import { useStrings } from '../lib/language.ts';
import { Field } from '../ui/fields.tsx';
import { Act } from '../ui/form.tsx';
import { Card } from '../ui/parts.tsx';
import { CodeBlock, TextWithCode } from '../ui/text.tsx';

interface Props {
  readonly rule: { readonly threshold: number; readonly margin: number };
}

export function Calibrate({ rule }: Props) {
  const t = useStrings();
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const [fmr, setFmr] = useState('1e-4');
  const [share, setShare] = useState<number | null>(null);
  const [report, setReport] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const wantedFmr = fmr.trim() === '' ? Number.NaN : Number(fmr);
  const isRate = wantedFmr > 0 && wantedFmr < 1;

  async function run(chosen: File): Promise<void> {
    const own = new AbortController();
    running.current = own;
    setShare(0);
    setReport(null);
    setFault(null);
    try {
      setReport(await calibrate({ file: chosen, rule, wantedFmr }, setShare, own.signal));
    } catch (thrown) {
      if (own.signal.aborted) return;
      setFault((thrown instanceof CalibrationFault && thrown.message) || t.faces.calibrateFails);
    } finally {
      if (running.current === own) setShare(null);
    }
  }

  return (
    <Card title={t.faces.calibrate} intro={t.faces.calibrateText}>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault();
          if (file && isRate && share === null) run(file);
        }}
      >
        <div class="field">
          <label for={id}>{t.faces.calibrateFile}</label>
          <input
            type="file"
            id={id}
            accept=".jsonl,.ndjson,.json"
            aria-describedby={`${id}-hint`}
            onChange={event => setFile(event.currentTarget.files?.[0] ?? null)}
          />
          <p class="hint" id={`${id}-hint`}>
            <TextWithCode>{t.faces.calibrateHint}</TextWithCode>
          </p>
        </div>
        <Field
          label={t.faces.wantedFmr}
          value={fmr}
          onText={setFmr}
          error={isRate ? null : t.faces.wantedFmrWrong}
        />
        <div class="actions">
          <button type="submit" disabled={file === null || !isRate} aria-busy={share !== null}>
            {t.faces.calibrateRun}
          </button>
          <Act look="" can={share !== null} text={t.common.cancel} action={() => running.current?.abort()} />
        </div>
      </form>
      <p role="status">
        {share !== null && (share < 1 ? t.faces.reading(Math.floor(share * 100)) : t.faces.comparing)}
      </p>
      {fault !== null && (
        <p class="notice bad" role="alert">
          {fault}
        </p>
      )}
      {report !== null && <CodeBlock text={report} name={t.faces.calibrateReport} />}
    </Card>
  );
}

const SCRIPT = '/assets/calibrate.js';

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): string };
}

/** A fault of the file has a message; a fault of the program has none. */
class CalibrationFault extends Error {}

/** Some browsers let scripts name a worker's address only through a policy, and this one knows one address. */
let policy: { createScriptURL(text: string): string } | undefined;
function scriptUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('worker', { createScriptURL: () => SCRIPT });
  return policy?.createScriptURL(SCRIPT) ?? SCRIPT;
}

/** @param onRead gets the share of the file that was read, 0 to 1. @throws CalibrationFault */
function calibrate(
  request: CalibrationRequest,
  onRead: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(scriptUrl());
    const end = (settle: () => void) => {
      worker.terminate();
      settle();
    };
    signal.addEventListener('abort', () => end(() => reject(signal.reason)));
    worker.onerror = () => end(() => reject(new CalibrationFault()));
    worker.onmessage = ({ data }: MessageEvent<CalibrationAnswer>) => {
      if ('read' in data) onRead(request.file.size === 0 ? 1 : data.read / request.file.size);
      else if ('text' in data) end(() => resolve(data.text));
      else end(() => reject(new CalibrationFault(data.fault ?? '')));
    };
    worker.postMessage(request);
  });
}
