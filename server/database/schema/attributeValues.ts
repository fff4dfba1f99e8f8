// Step 6: attributes that contacts are filtered by, where there are many contacts.

export const VALUE_TABLES = {
  attribute_values: `
    workspace_id bigint not null, attribute bigint not null, contact_id bigint not null, value_key text not null,
    value_rank text,
    constraint attribute_values_by_contact primary key (workspace_id, attribute, contact_id)`,
} as const;

/** JSON: `AttributeIndex[]` (contacts/attributeIndex/definitions.ts). */
export const VALUE_COLUMN = `workspaces add column attribute_indexes text not null default '[]'`;

export const VALUE_INDEXES = [
  'index attribute_values_by_key on attribute_values (workspace_id, attribute, value_key, contact_id)',
  `index attribute_values_by_rank on attribute_values (workspace_id, attribute, value_rank, contact_id)
    where value_rank is not null`,
  'index event_names_of_workspace on event_names (workspace_id, event_name, contact_id)',
];
