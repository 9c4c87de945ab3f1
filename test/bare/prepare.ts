/** Makes the machines that the tests of bare and booted ones need, which mostly waits: .ci/run does it beside other tests. */
import { BOOTABLE } from '../booted/booted.ts';
import { archiveOf } from './machines.ts';

archiveOf('bookworm', ['libatomic1']);
archiveOf('bullseye', ['libatomic1']);
archiveOf('bookworm', BOOTABLE);
