/** Of the publication, the slot and the subscription by which a workspace moves to another database. */
export const replicationName = (workspaceUuid: string) => `sendroom_move_${workspaceUuid.replaceAll('-', '')}`;
