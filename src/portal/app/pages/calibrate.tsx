/** Measures an encoder on labelled descriptors: the report of the command `calibrate`, made in the browser. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { CalibrationFault, calibrate } from '../lib/calibration.ts';
import { useStrings } from '../lib/language.ts';
import { Field } from '../ui/form.tsx';
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
    <section class="card">
      <h2>{t.faces.calibrate}</h2>
      <p class="soft">
        <TextWithCode>{t.faces.calibrateText}</TextWithCode>
      </p>
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
          autoComplete="off"
        />
        <div class="actions">
          <button type="submit" disabled={file === null || !isRate} aria-busy={share !== null}>
            {t.faces.calibrateRun}
          </button>
          {share !== null && (
            <button type="button" onClick={() => running.current?.abort()}>
              {t.common.cancel}
            </button>
          )}
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
    </section>
  );
}
